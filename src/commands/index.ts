import type { AnyCommand } from './command.ts';

/** A subcommand before anything of it is loaded: a run needs one of them. */
export interface CommandEntry {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  readonly load: () => Promise<AnyCommand>;
}

/** Every subcommand, in the order of the help page. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'list',
    summary: 'List sessions, latest activity first',
    load: async () => (await import('./list/index.ts')).list,
  },
  {
    name: 'validate',
    summary: 'Check every line of sessions and every relation between them',
    load: async () => (await import('./validate/index.ts')).validate,
  },
  {
    name: 'migrate',
    summary: 'Upgrade old sessions, or move them with their project',
    load: async () => (await import('./migrate/index.ts')).migrate,
  },
  {
    name: 'fork',
    summary: 'Make new sessions from paths of existing ones',
    load: async () => (await import('./fork/index.ts')).fork,
  },
  {
    name: 'compact',
    summary: 'Make sessions smaller: their context or their file',
    load: async () => (await import('./compact/index.ts')).compact,
  },
  {
    name: 'prune',
    summary: 'Remove whole sessions by policy, after a preview with reasons',
    load: async () => (await import('./prune/index.ts')).prune,
  },
  {
    name: 'export',
    summary: 'Write sessions as documents or data sets',
    load: async () => (await import('./export/index.ts')).exportCommand,
  },
];
