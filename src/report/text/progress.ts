import { formatCount } from './numbers.ts';

export interface ProgressState {
  readonly label: string;
  readonly value: number;
  readonly total: number;
  /** The time since the start. */
  readonly elapsedMs: number;
  /** The width of the screen. */
  readonly columns: number;
}

const MAX_BAR = 24;
/** The least time for a rate: before that, it would be a guess. */
const MIN_ELAPSED = 500;
/** The largest files come first: what they took says little of the rest. */
const MIN_SHARE = 0.05;

/** `Reading ████░░░░ 1,204/2,725  312/s  5s left`: one line that fits the screen. */
export function formatProgress(state: ProgressState): string {
  const { label, value, total, elapsedMs, columns } = state;
  const count = `${formatCount(value)}/${formatCount(total)}`;
  const isKnown = value > 0 && elapsedMs >= MIN_ELAPSED;
  const rate = (value / elapsedMs) * 1000;
  const left = value / total >= MIN_SHARE ? `  ${formatDuration((total - value) / rate)} left` : '';
  const detail = isKnown ? `  ${formatRate(rate)}${left}` : '';
  const room = Math.min(MAX_BAR, columns - label.length - count.length - detail.length - 3);
  const bar = room >= 4 ? `${drawBar(value / Math.max(total, 1), room)} ` : '';
  return `${label} ${bar}${count}${detail}`.slice(0, Math.max(columns - 1, 0));
}

function drawBar(share: number, width: number): string {
  const full = Math.round(Math.min(share, 1) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

function formatRate(perSecond: number): string {
  return perSecond >= 10 ? `${formatCount(Math.round(perSecond))}/s` : `${perSecond.toFixed(1)}/s`;
}

/** `45s`, `3min 20s`, `2h 05min`. */
function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}min ${String(whole % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}min`;
}
