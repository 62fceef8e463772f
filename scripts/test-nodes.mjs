// @ts-check
// Runs the unit tests on the newer Nodes that test/package installs: npm run test:nodes. With --short
// without those of code that only makes one value of another: what differs between Nodes is how files,
// paths, processes, streams and clocks behave, how deep JSON may go, and what errors say.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const NAMES = ['node-22', 'node-24', 'node-26'];
/** Folders of tests that take long, and compute. */
const COMPUTES =
  /^(?:export\/(?:formats|redact)|lint|report|schemas|session\/(?:agents|model|rules))\//;

/** @param {string} path */
const toPath = (path) => fileURLToPath(new URL(path, ROOT));

const isShort = process.argv.includes('--short');
const given = process.argv.slice(2).filter((word) => word !== '--short');
const projects = ['unit', 'alone', 'hostile', 'homes'].flatMap((name) => ['--project', name]);
const suite = ['run', ...projects, '--reporter=dot', ...given];
// With several projects, Vitest does not heed --exclude.
const files = isShort ? listTests().map((path) => `test/${path}`) : [];

for (const name of NAMES) {
  const bin = toPath(`test/package/node_modules/${name}/bin`);
  // Programs that tests start, too.
  const path = [bin, process.env['PATH']].join(delimiter);
  const env = { ...process.env, COPPICE_COMPILED: '1', PATH: path };
  const args = [toPath('node_modules/vitest/vitest.mjs'), ...suite, ...files];
  const began = Date.now();
  const { status } = spawnSync(`${bin}/node`, args, { stdio: 'inherit', cwd: ROOT, env });
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`${name}: ${status === 0 ? 'green' : 'RED'}, ${seconds} s\n`);
  if (status !== 0) process.exitCode = 1;
}

function listTests() {
  const paths = readdirSync(toPath('test'), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.test.ts') && !COMPUTES.test(path));
}
