import { appendFileSync, cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FIXTURES, getRecorded } from '../session/agents/codex/corpus.ts';
import { openWritable } from '../store/database/open-writable.ts';
import type { System } from './node-exe.ts';

/** A whole store of the real Codex, whose rows name its files by their paths. */
export function makeCodexHome(dir: string, { toPath }: System): void {
  const home = join(dir, 'home/.codex');
  cpSync(join(FIXTURES, 'home'), home, { recursive: true });
  // The client has no turns of it in its database: so it can be repaired.
  const { place } = getRecorded('legacy-linear');
  mkdirSync(dirname(join(home, place)), { recursive: true });
  cpSync(join(FIXTURES, 'legacy-linear.jsonl'), join(home, place));
  appendFileSync(join(home, place), '{"timestamp":"2026-11-21T');
  const state = openWritable(join(home, 'state_5.sqlite'));
  const rows = state.prepare('SELECT id, rollout_path AS path FROM threads').all();
  for (const { id, path } of rows as readonly { readonly id: string; readonly path: string }[]) {
    const moved = toPath(path.replace('/home/u2/.codex', home));
    state.prepare('UPDATE threads SET rollout_path = ? WHERE id = ?').run(moved, id);
  }
  state.close();
}
