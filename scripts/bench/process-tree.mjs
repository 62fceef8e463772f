// @ts-check
import { readFileSync } from 'node:fs';

const INTERVAL_MS = 10;
const TICKS_PER_SECOND = 100;

/** Runs its arguments and leaves the CPU time of all they started in the file `$METER`. */
export const CPU_SCRIPT = '"$@"; code=$?; cat "/proc/$$/stat" > "$METER"; exit $code';

/**
 * Seconds of user and system time of the children waited for: fields 16 and 17 of proc(5) stat.
 * @param {string} stat
 */
export function parseChildCpu(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/**
 * Watches a process and its descendants; the function it returns ends that and gives the largest
 * resident set any of them ever had, in bytes (without what one gained in its last 10 ms).
 * @param {number} pid
 */
export function watchPeak(pid) {
  let peak = 0;
  const timer = setInterval(() => {
    for (const member of processTree(pid)) {
      const [, kilobytes = '0'] = /VmHWM:\s*(\d+)/.exec(readProc(`${member}/status`)) ?? [];
      peak = Math.max(peak, Number(kilobytes) * 1024);
    }
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/**
 * @param {number} pid
 * @returns {number[]}
 */
function processTree(pid) {
  const children = readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/**
 * Empty when the process is gone, which may happen between any two reads.
 * @param {string} name
 */
function readProc(name) {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return '';
  }
}
