import { getObject, getString, isArray, type JsonObject } from '../../../jsonl/edit/json.ts';
import { type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';
import { ROOTS } from '../entry/typed.ts';
import { openLine } from '../format.ts';

/** The new path of a directory; undefined for one that has not moved. */
type Move = (directory: string) => string | undefined;

/**
 * A line with the directories moved from which Codex knows where a thread works: what it lists, and
 * what it continues with. All that was said, run and seen remains as it is. The same bytes where there are none.
 */
export function moveCwd(bytes: Buffer, value: JsonObject, move: Move): Buffer {
  const place = findPlace(value);
  if (!place) return bytes;
  const { at, holder } = place;
  const edits: MemberEdit[] = [];
  const cwd = move(getString(holder, 'cwd') ?? '');
  if (cwd !== undefined) edits.push({ key: 'cwd', value: JSON.stringify(cwd) });
  for (const key of ROOTS) {
    const roots = holder[key];
    if (!isArray(roots)) continue;
    const moved = roots.map((root) => (typeof root === 'string' ? (move(root) ?? root) : root));
    if (moved.some((root, index) => root !== roots[index])) {
      edits.push({ key, value: JSON.stringify(moved) });
    }
  }
  return edits.length === 0 ? bytes : (spliceObject(bytes, edits, { at }) ?? bytes);
}

/** A line that works in another directory; what stood beside the old one stands beside the new. */
export function setCwd(bytes: Buffer, value: JsonObject, cwd: string): Buffer {
  const old = getString(findPlace(value)?.holder ?? {}, 'cwd');
  return moveCwd(bytes, value, (directory) => (directory === old ? cwd : undefined));
}

function findPlace(
  value: JsonObject,
): { readonly at: readonly string[]; readonly holder: JsonObject } | undefined {
  const { type, kind, payload } = openLine(value);
  if (!('payload' in value)) return undefined;
  if (type === 'session_meta' || type === 'turn_context')
    return { at: ['payload'], holder: payload };
  if (kind !== 'thread_settings_applied') return undefined;
  const holder = getObject(payload, 'thread_settings');
  return holder && { at: ['payload', 'thread_settings'], holder };
}
