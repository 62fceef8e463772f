// @ts-check
// Makes a release commit and its tag: npm run release 1.2.3. Publishes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m;

const [version = ''] = process.argv.slice(2);
try {
  release(version);
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** @param {string} next */
function release(next) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(next)) throw new Error('which version? As 1.2.3');
  if (git('status', '--porcelain') !== '') throw new Error('the working tree is not clean');
  if (git('tag', '--list', `v${next}`) !== '') throw new Error(`v${next} is there already`);
  const changes = withHeading(readFileSync(CHANGELOG, 'utf8'), next);
  for (const script of ['check', 'test:package']) run('npm', 'run', script);
  writeFileSync(CHANGELOG, changes);
  run('npm', 'version', next, '--no-git-tag-version', '--allow-same-version');
  git('commit', '--all', '--message', `Release ${next}`);
  git('tag', '--annotate', `v${next}`, '--message', `coppice ${next}`);
  process.stdout.write(`\nNow: git push --follow-tags && npm publish\n`);
}

/** @param {string} text @param {string} next */
function withHeading(text, next) {
  const [whole, notes = ''] = UNRELEASED.exec(text) ?? [];
  if (whole === undefined || notes.trim() === '') {
    throw new Error(`${CHANGELOG} says nothing under "Unreleased"`);
  }
  const day = new Date().toISOString().slice(0, 10);
  return text.replace(whole, `## Unreleased\n\n## ${next} - ${day}\n${notes}`);
}

/** @param {...string} args */
function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

/** @param {string} command @param {...string} args */
function run(command, ...args) {
  execFileSync(command, args, { stdio: 'inherit' });
}
