import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { getRejectedPath } from '../../../src/session/model/sidecar.ts';
import { type Rejected } from '../../../src/session/validate/fix/rejected.ts';

export interface RejectedLine {
  readonly line: number;
  readonly byteOffset: number;
  readonly rule: string;
  readonly text?: string;
  readonly base64?: string;
}

/** None where there is no such file. */
export async function readRejected(path: string): Promise<RejectedLine[]> {
  if (!(await readdir(dirname(path))).includes(basename(getRejectedPath(path)))) return [];
  const text = await readFile(getRejectedPath(path), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const withoutLf = (bytes: Buffer): string => bytes.toString('latin1').replaceAll('\n', '');

export const KEPT = 'something that should be kept';

/** What is in neither file, or in the wrong place. */
export async function findLoss(
  path: string,
  before: Buffer,
  after: Buffer,
  rejected: readonly Rejected[],
): Promise<string[]> {
  const kept: Buffer[] = [];
  const taken: Buffer[] = [];
  let at = 0;
  for (const { byteOffset, length } of rejected) {
    kept.push(before.subarray(at, byteOffset));
    at = byteOffset + length;
    taken.push(before.subarray(byteOffset, at));
  }
  kept.push(before.subarray(at));
  const inRejectedFile = (await readRejected(path)).map(toBytes);
  const loss: string[] = [];
  if (toKept(after) !== toKept(Buffer.concat(kept))) loss.push(KEPT);
  if (!Buffer.concat(inRejectedFile).equals(Buffer.concat(taken))) loss.push('something taken out');
  return loss;
}

/** The bytes of a file that no repair changes: the rest of a torn line may be a record whose time is a number. */
function toKept(bytes: Buffer): string {
  return withoutLf(bytes).replaceAll(
    /"timestamp":(\d{1,15})/g,
    (_, time) => `"timestamp":"${new Date(Number(time)).toISOString()}"`,
  );
}

function toBytes({ text, base64 }: RejectedLine): Buffer {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
}
