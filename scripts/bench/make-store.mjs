// @ts-check
import { parseArgs } from 'node:util';
import { parseAgent, parseCount, parseSize, parseVersion } from './sizes.mjs';
import { writeStore } from './store/write-store.mjs';

const HELP = `Makes a realistic store of sessions, the same for the same seed.

  node scripts/bench/make-store.mjs --out <dir> [--sessions 2725] [--bytes 1GB]
      [--largest 200MB] [--seed 1] [--version 1|2|3] [--agent pi|claude-code|codex]
`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    sessions: { type: 'string', default: '2725' },
    bytes: { type: 'string', default: '1GB' },
    largest: { type: 'string', default: '200MB' },
    seed: { type: 'string', default: '1' },
    version: { type: 'string', default: '3' },
    agent: { type: 'string', default: 'pi' },
    help: { type: 'boolean' },
  },
});

if (values.help === true || values.out === undefined) {
  process.stdout.write(HELP);
  process.exitCode = values.help === true ? 0 : 2;
} else {
  const start = performance.now();
  const facts = writeStore({
    out: values.out,
    sessions: parseCount(values.sessions),
    bytes: parseSize(values.bytes),
    largest: parseSize(values.largest),
    seed: parseCount(values.seed, 0),
    version: parseVersion(values.version),
    agent: parseAgent(values.agent),
  });
  const seconds = (performance.now() - start) / 1000;
  const speed = facts.bytes / 1e6 / seconds;
  process.stdout.write(`${JSON.stringify({ ...facts, seconds, megabytesPerSecond: speed })}\n`);
}
