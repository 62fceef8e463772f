// @ts-check
// Runs the unit tests, but for those of the lint rules, on the newer Nodes that test/package installs: npm run test:nodes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const VITEST = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', ROOT));
const SUITE = ['run', '--project', 'unit', '--project', 'alone', '--exclude', 'test/lint/**'];

for (const name of ['node-22', 'node-24']) {
  const node = fileURLToPath(new URL(`test/package/node_modules/${name}/bin/node`, ROOT));
  const args = [VITEST, ...SUITE, ...process.argv.slice(2)];
  const { status } = spawnSync(node, args, { stdio: 'inherit', cwd: ROOT });
  if (status !== 0) process.exit(status ?? 1);
}
