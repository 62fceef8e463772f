import type { SessionRows, Value } from '../../../dialect/surroundings/rows.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { openLine } from '../format.ts';
import { STATE, THREADS } from '../places/database/databases.ts';

/** A thread that the database of Codex does not know yet. */
export interface ThreadRow {
  readonly path: string;
  readonly id: string;
  readonly name: string;
  /** ISO 8601: when it began. */
  readonly timestamp: string;
  readonly cwd: string;
}

/**
 * The row that Codex makes as it finds the file of a thread, with a name. Codex asks the file, and not
 * the row, what a thread that continues may do: so the row says the least.
 */
export function toThreadRow(
  { path, id, name, timestamp, cwd }: ThreadRow,
  header: JsonObject,
  prompt: string,
): SessionRows {
  const { payload } = openLine(header);
  const seconds = BigInt(Math.floor(Date.parse(timestamp) / 1000));
  const row: Readonly<Record<string, Value>> = {
    id,
    rollout_path: path,
    created_at: seconds,
    updated_at: seconds,
    recency_at: seconds,
    source: getString(payload, 'source') ?? 'cli',
    model_provider: getString(payload, 'model_provider') ?? '',
    cwd,
    title: prompt,
    first_user_message: prompt,
    preview: prompt,
    sandbox_policy: '{"type":"read-only"}',
    approval_mode: 'on-request',
    cli_version: getString(payload, 'cli_version') ?? '',
    history_mode: 'paginated',
    name,
  };
  return new Map([[STATE.name, new Map([[THREADS, [new Map(Object.entries(row))]]])]]);
}
