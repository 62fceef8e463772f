import { hash } from 'node:crypto';
import type { FormatName } from '../../../export/formats/formats.ts';
import { withoutCompression } from '../../../session/jsonl/zstd/is-compressed.ts';

/** Returns the key of a session in the record of a folder: unique, without its path, and the same when it is compressed. */
export function toSourceKey(format: FormatName, path: string): string {
  return `${format}:${toSource(path)}`;
}

/** The part of a key that every format of one session has. */
export function toSource(path: string): string {
  return hash('sha256', withoutCompression(path));
}

/** Reads that part of a key. */
export function getSource(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}
