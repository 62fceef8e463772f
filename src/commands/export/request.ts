import { resolve } from 'node:path';
import type { ImageMode } from '../../export/formats/format.ts';
import type { Scope } from '../../session/read/select-entries.ts';
import type { Shard } from '../../store/select/shard.ts';
import type { Context } from '../command.ts';
import {
  type OutputRequest,
  type SelectionRequest,
  toOutputRequest,
  toSelectionRequest,
} from '../shared/requests.ts';
import type { ExportArgs } from './options.ts';

export interface ExportRequest {
  readonly select: SelectionRequest;
  readonly output: OutputRequest;
  readonly as: ExportArgs['as'];
  /** The directory to write to, absolute; undefined: standard output. */
  readonly out: string | undefined;
  /** Whether standard output was named. */
  readonly toOutput: boolean;
  readonly dryRun: boolean;
  /** The requested scope; a format may export more. */
  readonly scope: Scope;
  readonly thinking: boolean;
  readonly tools: boolean;
  /** The options that the command line sets: a configuration file does not know the format. */
  readonly given: ReadonlySet<string>;
  /** Undefined: as the format does best. */
  readonly images: ImageMode | undefined;
  /** Undefined: as the format does by itself. */
  readonly redact: boolean | undefined;
  /** A file of secrets, absolute. */
  readonly secretFile: string | undefined;
}

export function toExportRequest(args: ExportArgs, context: Context): ExportRequest {
  const { as, out, branch, harness, thinking, tools, images, redact, given } = args;
  const secretFile = args['secret-file'];
  const toPath = (path: string): string => resolve(context.cwd, path);
  return {
    select: toSelectionRequest(args, context),
    output: toOutputRequest(args),
    as,
    // `-` is standard output, like everywhere.
    out: out === undefined || out === '-' ? undefined : toPath(out),
    toOutput: out === '-',
    dryRun: args['dry-run'],
    scope: {
      branch,
      allBranches: args['all-branches'],
      fullHistory: args['full-history'],
      harness,
    },
    thinking,
    tools,
    given,
    images,
    redact,
    secretFile: secretFile === undefined ? undefined : toPath(secretFile),
  };
}

/** Returns the part of file names that stands for a shard; empty for all sessions. */
export function toPartName(shard: Shard | undefined): string {
  return shard ? `-${shard.index}of${shard.count}` : '';
}
