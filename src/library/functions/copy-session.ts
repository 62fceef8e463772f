import { FileError } from '../../errors.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { createFileSync } from '../../session/jsonl/sync/create.ts';
import { parseLine } from '../../session/jsonl/read/parse-line.ts';
import { readLinesSync } from '../../session/jsonl/read/read-lines-sync.ts';
import { isHeader } from '../../session/agents/pi/format.ts';
import { loadSession } from './load-session.ts';

const LF = Buffer.from('\n');

/**
 * Writes a new session of every entry of another one, migrated, below a header of its own; returns
 * its path. Lines that do not change keep their bytes; lines that are not entries are left out.
 * @throws FileError if the source is not a session, or the new file exists.
 */
export function copySession(source: string, path: string, header: JsonObject): string {
  const loaded = loadSession(source);
  if (!loaded?.header) {
    const what = 'Cannot fork: source session file is empty or invalid';
    throw new FileError(source, 'not-a-session', `${what}: ${source}`);
  }
  const upgrade = loaded.createUpgrade?.();
  const lines: Buffer[] = [Buffer.from(JSON.stringify(header)), LF];
  readLinesSync(source, (line) => {
    const changed = upgrade?.(line);
    const content = parseLine(line);
    if (content.kind !== 'object' || isHeader(content.value)) return;
    if (changed) lines.push(...Array.from(changed, (part) => Buffer.from(part)));
    else lines.push(Buffer.from(line.bytes), LF);
    if (changed && !line.terminated) lines.push(LF);
  });
  createFileSync(path, lines);
  return path;
}
