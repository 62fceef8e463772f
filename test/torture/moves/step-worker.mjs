// @ts-check
// A run that moves files, on a thread of its own, and waits for its turn before each call that matters.
import { parentPort, workerData } from 'node:worker_threads';
import { startFaults } from '../faults/fault-layer.mjs';

const { root, bundle, gate, pid } = workerData;
Object.defineProperty(process, 'pid', { value: pid, configurable: true });
const { readFileSync } = await import('node:fs');
const { matchBeginning, moveFile, removeMatched, readState } = await import(bundle);

const port = parentPort;
if (!port) throw new Error('is no thread');
const turn = new Int32Array(gate);
const [WAIT, GO] = [0, 1];
/** @type {{ path: string, isKilled: boolean, lacksLinks: boolean }} */
const state = { path: '', isKilled: false, lacksLinks: false };

startFaults({
  root,
  onCall: ({ name, path }) => {
    if (state.isKilled) return { code: 'EIO' };
    const isLook = /^l?stat$/.test(name) && path.endsWith('/s.jsonl') && hasLeft();
    if (!isLook && !/^(?:link|rename|unlink)$/.test(name)) return undefined;
    Atomics.store(turn, 0, WAIT);
    port.postMessage('call');
    // The notice of the turn before may come only now, where its value was seen without waiting.
    while (Atomics.load(turn, 0) === WAIT) Atomics.wait(turn, 0, WAIT);
    state.isKilled = Atomics.load(turn, 0) !== GO;
    if (state.isKilled) return { code: 'EIO' };
    left ||= name === 'rename';
    return state.lacksLinks && name === 'link' ? { code: 'EPERM' } : undefined;
  },
});

/** Whether this run has taken its file away: from then on it matters when it looks. */
let left = false;
function hasLeft() {
  return left;
}

port.on('message', (job) => void move(job));

/** @param {import('./stepper.ts').Move} job */
async function move({ from, to, isTwin, backup, lacksLinks = false }) {
  Object.assign(state, { isKilled: false, lacksLinks });
  left = false;
  let end = 'moved';
  try {
    if (isTwin) await meet(from, to, backup);
    else await moveFile(from, to);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    end = String(error.code);
  }
  port?.postMessage(end);
}

/** @param {string} from @param {string} to @param {string | undefined} backup */
async function meet(from, to, backup) {
  const planned = readState(from);
  async function* chunks() {
    yield readFileSync(from);
  }
  const match = await matchBeginning(to, chunks(), planned);
  if (match) await removeMatched(from, match, planned, backup);
}
