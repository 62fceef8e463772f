import { basename } from 'node:path';
import { FileError } from '../../errors.ts';
import { removeOwnFile } from '../../session/jsonl/write/create-file.ts';
import { withCompression, withoutCompression } from '../../session/jsonl/zstd/is-compressed.ts';
import { readOpening } from '../../session/read/read-opening.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { findUnits } from '../../session/model/tree/units.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import { discover } from '../find/discover.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { isGone } from '../files/stat-file.ts';
import { findRowHome } from './database-files.ts';
import { type AddedRows, editRows } from './edit-rows.ts';
import type { OpenDatabase } from './sqlite.ts';
import { decodeRows, MAX_ROWS_BYTES, ROWS_NAME } from './stored-rows.ts';

const ENDING = `.${ROWS_NAME}`;

/** Returns whether a file may have the rows of the session beside it, which came back from the trash. */
export function isRowsFile(path: string): boolean {
  return path.endsWith(ENDING) && path.length > ENDING.length;
}

/**
 * Restores the rows of a session in the databases of its agent, in one transaction, and removes the file
 * that they were kept in unless it has rows that were omitted. Returns the path of the session.
 * @throws FileError where the session is not back at its place, the file is not sound, or this Node cannot write rows.
 */
export async function restoreRows(
  file: string,
  { apply, open }: { readonly apply: boolean; readonly open?: OpenDatabase },
): Promise<AddedRows & { readonly path: string }> {
  const path = findSession(file.slice(0, -ENDING.length));
  const opening = await readOpening(path);
  const dialect = opening.kind === 'session' ? opening.dialect : undefined;
  const found = dialect && findRowHome(dialect.agent, path);
  if (!found) {
    throw new FileError(file, 'not-a-session', 'is not beside a session that has rows');
  }
  const { rows, home } = found;
  const places = await Promise.all(
    (dialect.bases?.listPlaces(path) ?? []).map((one) => discover(one)),
  );
  const there = places.flatMap(({ files }) => files.map((one) => one.path));
  const bytes = readRegularFile(file, MAX_ROWS_BYTES);
  const named = there.filter((one) => rows.listIds([one]).some((id) => bytes.includes(id)));
  const parts = await findParts(path, named);
  const paths = parts.map(withoutCompression);
  const owner = {
    databases: rows.databases,
    ids: new Set(rows.listIds(parts)),
    paths: new Map(paths.map((one) => [basename(one), one])),
    path: withoutCompression(path),
  };
  const stored = decodeRows(bytes, owner, file);
  if (!apply) return { path, added: 0, omitted: [] };
  const add = (editor: Parameters<Parameters<typeof editRows>[2]>[0]) =>
    Promise.resolve(editor.add(stored.rows, true));
  const { added, omitted: stray } = await editRows(home, rows.databases, add, open);
  const omitted = [...stored.omitted, ...stray];
  if (omitted.length === 0) await removeOwnFile(file);
  return { path, added, omitted };
}

/** The agent, or somebody, may have compressed or decompressed the session file since it was named. */
function findSession(path: string): string {
  const plain = withoutCompression(path);
  return [path, plain, withCompression(plain)].find((one) => !isGone(one)) ?? path;
}

/** Finds the files of a session and of its sub-agents, among others that may be. */
async function findParts(path: string, others: readonly string[]): Promise<readonly string[]> {
  const summaries: SessionSummary[] = [];
  for (const one of new Set([path, ...others])) {
    const read = await summarizeSession(one, { usage: false });
    if ('path' in read) summaries.push(read);
  }
  const unit = findUnits(summaries).find(({ files }) => files.some((one) => one.path === path));
  return unit?.files.map((one) => one.path) ?? [path];
}
