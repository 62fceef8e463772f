import { readFileSync } from 'node:fs';
import type { JsonValue } from './session/jsonl/edit/json.ts';

/**
 * Returns a file of the package. This module is one level below the root of the package, both as a
 * source and where it is built.
 */
function locate(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

let known: string | undefined;

/** Returns the version of the package. */
export function readVersion(): string {
  if (known !== undefined) return known;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own package.json
  const { version } = JSON.parse(readFileSync(locate('package.json'), 'utf8')) as {
    version: string;
  };
  known = version;
  return version;
}

/** Returns the JSON Schema `schemas/<name>.schema.json`. */
export function readSchema(name: string): JsonValue {
  const text = readFileSync(locate(`schemas/${name}.schema.json`), 'utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own schema
  return JSON.parse(text) as JsonValue;
}

/** Returns a help page as the build laid it out; undefined if this is not the built program. */
export function readBuiltHelp(name: string): string | undefined {
  try {
    return readFileSync(new URL(`help/${name}.txt`, import.meta.url), 'utf8');
  } catch {
    // If the page cannot be read, yargs lays it out.
    return undefined;
  }
}
