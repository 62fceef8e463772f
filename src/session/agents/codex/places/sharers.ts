import { dirname, join } from 'node:path';
import type { AgentWorld } from '../../../dialect/surroundings/world.ts';
import { toDirectoryKey } from '../../../jsonl/files/identity/same-file.ts';
import { listReadable } from '../../../jsonl/files/list-directory.ts';
import { listCodexHomes } from './default-stores.ts';
import { listStoresOf } from './home.ts';

/** The records in a home that protect threads, and locks: a home without any of them protects none. */
const OWN =
  /^(?:state_\d{1,9}\.sqlite|\.codex-global-state\.json(?:\.bak)?|automations|thread-writer-locks)$/;

/** The answers of a run, for each home. */
const sharing = new WeakMap<AgentWorld, Map<string, readonly string[]>>();

/**
 * Lists the other homes of Codex that have the sessions of one as well, by a link or a mount, and are beside it or the
 * user's own. People have one for each account, which `CODEX_HOME` names only where that one is used. Looks once in a
 * run.
 */
export function listSharers(home: string, world: AgentWorld): readonly string[] {
  const known = sharing.get(world) ?? new Map<string, readonly string[]>();
  sharing.set(world, known);
  const found = known.get(home) ?? findSharers(home, world);
  known.set(home, found);
  return found;
}

function findSharers(home: string, world: AgentWorld): readonly string[] {
  const keys = new Set(listStoresOf(home).map(toDirectoryKey));
  const places = new Set([home, ...listCodexHomes(world)].map((one) => dirname(one)));
  const beside = [...places].flatMap((place) =>
    listReadable(place).map((name) => join(place, name)),
  );
  return beside.filter(
    (other) =>
      other !== home &&
      listStoresOf(other).some((store) => keys.has(toDirectoryKey(store))) &&
      listReadable(other).some((name) => OWN.test(name)),
  );
}
