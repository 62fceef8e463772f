import { join } from 'node:path';

/** Makes the path that Codex gives a thread that begins now, below its home; in local time. */
export function toRolloutPath(home: string, id: string, now: number): string {
  const date = new Date(now);
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].map(String);
  return join(home, 'sessions', ...day, toRolloutName(id, now));
}

export function toRolloutName(id: string, now: number): string {
  const date = new Date(now);
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join('-');
  return `rollout-${day}T${time}-${id}.jsonl`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
