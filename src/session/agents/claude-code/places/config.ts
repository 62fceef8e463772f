import { basename, dirname } from 'node:path';

/** The directory of all projects, in that of Claude Code. */
export const PROJECTS = 'projects';

/** The file with the prompts of all sessions that were typed in the terminal, beside it. */
export const PROMPTS = 'history.jsonl';

/** The form of an id as the client makes it: it finds no session of another name. */
export const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Finds the directory of all that Claude Code keeps, of a session in `<it>/projects/<project>/`. */
export function findConfig(path: string): string | undefined {
  return findConfigOf(dirname(path));
}

/** Finds the same by the directory of a project. */
export function findConfigOf(project: string): string | undefined {
  return findConfigOfStore(dirname(project));
}

/** Finds the same by the directory of all projects; undefined for any other directory. */
export function findConfigOfStore(store: string): string | undefined {
  return basename(store) === PROJECTS ? dirname(store) : undefined;
}
