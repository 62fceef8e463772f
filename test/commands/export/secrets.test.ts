import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, toSession, user } from '../../session-lines.ts';
import { refused, startStandIn } from '../../summarize/stand-in.ts';
import { toJsonl, useOwnTempDir } from '../../temp-dir.ts';
import { makeHostileWorld } from '../hostile/hostile-world.ts';

// Put together here, so that nobody takes them for real ones. Each says where it stands.
const toKey = (where: string): string => `K9${where}-${'a1B2'.repeat(8)}`;
const PLACES = ['first', 'title', 'tool', 'answer', 'later', 'custom', 'torn', 'middle', 'cwd'];
const KEYS = PLACES.map(toKey);
const [FIRST, TITLE, TOOL, ANSWER, LATER, CUSTOM, TORN, MIDDLE, CWD] = KEYS;
const API_KEY = toKey('environment');

const LINES = toSession([
  { type: 'session_info', name: `name ${TITLE}` },
  user(`Use ${FIRST}`),
  call('c1', 'bash', { command: `curl -H ${TOOL}` }),
  result('c1', 'bash', `${TOOL} `.repeat(100)),
  assistant(`It is ${ANSWER}. `.repeat(60)),
  { type: 'custom', customType: 'state', data: { key: CUSTOM } },
  user(`And ${LATER}`),
]).map((line, index) => (index === 0 ? { ...line, cwd: `/work/${CWD}` } : line));
const TEXT = `${toJsonl(LINES.slice(0, 4))}"${MIDDLE}"${MIDDLE}\n{"${MIDDLE}\n${MIDDLE}\n${toJsonl(LINES.slice(4))}{"type":"message","${TORN}`;

/** Which of the keys are in a text, if only their beginning, by where they come from. */
function find(text: string): readonly string[] {
  return [...PLACES, 'environment'].filter((place) => text.includes(`K9${place}`));
}

/** All that is in the files below a directory. */
function readTree(directory: string): string {
  if (!existsSync(directory)) return '';
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), 'latin1'))
    .join('\n');
}

async function makeSecretWorld(env: Readonly<Record<string, string>> = {}) {
  const world = await makeHostileWorld({ env: { OPENAI_API_KEY: API_KEY, ...env } });
  world.write('store/s.jsonl', TEXT);
  // Without a home there would be no cache.
  world.write('home/.profile', '');
  world.write('blocked', 'a file where a directory should be');
  return world;
}

const STORE = ['--store', 'store'];
const KEEP = ['--force', '--keep-recent-tokens', '20'];
const PRUNE = ['prune', ...STORE, '--older-than', '30d', '--allow-empty'];

/** Commands that tell about sessions, and what of them they show: that is what they are for. */
const SHOWN: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['list', ...STORE],
    ['title', 'cwd'],
  ],
  [
    ['list', ...STORE, '--json'],
    ['first', 'title', 'cwd'],
  ],
  [['list', ...STORE, '--by', 'project'], ['cwd']],
  [PRUNE, ['title', 'cwd']],
  [
    [...PRUNE, '--apply', '--archive', 'archive'],
    ['title', 'cwd'],
  ],
  [[...PRUNE, '--apply', '--archive', 'blocked/x'], []],
];

/** Commands that show nothing of what is said in them. */
const SILENT: readonly (readonly string[])[] = [
  ...['pretty', 'json', 'github', 'junit', 'sarif', 'gitlab'].map((format) => [
    'validate',
    ...STORE,
    '--format',
    format,
  ]),
  ['validate', ...STORE, '--fix'],
  ['migrate', ...STORE, '--apply', '--json'],
  ['migrate', ...STORE, '--cwd', '/work=/elsewhere', '--json'],
  ['migrate', ...STORE, '--cwd', '/work=/elsewhere', '--apply', '--backup', '/blocked/x'],
  ['fork', 'store/s.jsonl', '--whole', '--json'],
  ['fork', 'store/s.jsonl', '--out', 'blocked/x'],
  ['fork', 'store/s.jsonl', '--at', 'nothing'],
  ['compact', ...STORE, ...KEEP],
  ['compact', ...STORE, ...KEEP, '--apply'],
  ['compact', ...STORE, '--tool-output', '1kB', '--superseded-state', '--apply', '--json'],
  ['export', ...STORE, '--as', 'md', '--out', 'out'],
  ['export', ...STORE, '--as', 'html', '--redact', '--out', 'out', '--json'],
  ['export', ...STORE, '--as', 'parquet', '--out', 'blocked/x'],
  ['export', ...STORE, '--as', 'md', '--out', 'blocked/x'],
];

describe('a key in a session', () => {
  it.each([...SHOWN, ...SILENT.map((argv) => [argv, []] as const)])(
    'is in no log, no error, no cache and no temporary file: %j',
    async (argv, shown) => {
      const { root, run } = await makeSecretWorld();
      const temporary = await useOwnTempDir();
      const { out, err, exitCode } = await run(...argv);
      expect(exitCode).not.toBe(70);
      expect(find(out)).toEqual(PLACES.filter((place) => shown.includes(place)));
      expect(find(err)).toEqual([]);
      expect(find(readTree(join(root, 'home')))).toEqual([]);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );

  it('is remembered by no listing, and everything else is', async () => {
    const { root, run, write } = await makeSecretWorld();
    write('store/plain.jsonl', toJsonl(toSession([user('Plant an ash')])));
    await run('list', ...STORE);
    const cache = readTree(join(root, 'home/.cache'));
    expect(cache).toContain('Plant an ash');
    expect([find(cache), cache.includes('/s.jsonl')]).toEqual([[], false]);
  });

  it.each([
    ['an id', { id: toKey('id') }, {}],
    ['the directory of a fork', { parentSession: `/x/${toKey('parent')}.jsonl` }, {}],
    ['a model', {}, { model: toKey('model') }],
    ['a provider', {}, { provider: toKey('provider') }],
  ])('is remembered by no listing that stands in %s', async (_, header, answer) => {
    const { root, run, write } = await makeSecretWorld();
    const [first, ...rest] = toSession([user('Plant an ash'), assistant('Done.', answer)]);
    write('store/s.jsonl', toJsonl([{ ...first, ...header }, ...rest]));
    write(`store/${toKey('file')}.jsonl`, toJsonl(toSession([user('Plant an oak')])));
    await run('list', ...STORE);
    expect(readTree(join(root, 'home/.cache'))).not.toContain('a1B2a1B2');
  });

  it('is not in what an export remembers, when it is taken out of the export', async () => {
    const { root, run, write } = await makeSecretWorld();
    write('keys', KEYS.join('\n'));
    const argv = ['export', ...STORE, '--as', 'html', '--secret-file', 'keys', '--out', 'out'];
    // 3: lines of it cannot be read.
    expect((await run(...argv)).exitCode).toBe(3);
    expect(find(readTree(join(root, 'out')))).toEqual([]);
    expect(find(readFileSync(join(root, 'out/.coppice-export.json'), 'utf8'))).toEqual([]);
  });

  it.each([
    ['coppice.config.json', ['list', ...STORE]],
    ['plan', ['prune', '--plan', 'plan']],
    ['home/.pi/agent/settings.json', ['compact', ...STORE, ...KEEP]],
    ['home/.pi/agent/settings.json', ['list']],
  ])('is not quoted from %s, which does not parse', async (name, argv) => {
    const { run, write } = await makeSecretWorld();
    for (const text of [`${FIRST}`, `{"a": ${FIRST}}`, `{\n"a": "${FIRST}" x}`, `"${FIRST}`]) {
      write(name, text);
      const { out, err, exitCode } = await run(...argv);
      expect(exitCode).toBeGreaterThan(1);
      expect(out + err).toContain('is not valid JSON');
      expect(find(err)).toEqual([]);
    }
  });
});

describe('the key of a summarizer', () => {
  const compact = ['compact', ...STORE, ...KEEP, '--apply', '--summarizer', 'openai'];

  it.each([
    ['an error', refused(401, JSON.stringify({ error: { message: `bad key ${API_KEY}` } }))],
    ['a page', refused(403, `<html>${'x'.repeat(270)} ${API_KEY}</html>`)],
    ['another error', refused(400, `{"error":"Bearer ${API_KEY}"}`)],
  ])('is not told when the endpoint repeats it: %s', async (_, reply) => {
    const { baseUrl } = await startStandIn([reply]);
    const { root, run } = await makeSecretWorld();
    const argv = [...compact, '--summarizer-model', 'm', '--base-url', baseUrl, '--json'];
    const { out, err, exitCode } = await run(...argv);
    expect(exitCode).toBe(3);
    expect(out).toContain('the endpoint answers 40');
    expect(find(out + err + readTree(join(root, 'home')))).toEqual([]);
    expect(find(readTree(join(root, 'store')))).not.toContain('environment');
  });

  it('is not told of an address that holds a password, or is none', async () => {
    for (const url of [`http://user:${API_KEY}@127.0.0.1:1/v1`, `ftp://user:${API_KEY}@x`]) {
      const { run } = await makeSecretWorld({ OPENAI_BASE_URL: url });
      const { out, err, exitCode } = await run(...compact, '--summarizer-model', 'm');
      expect(exitCode).toBeGreaterThan(1);
      expect(find(out + err)).toEqual([]);
    }
  });

  it('is not told by a program that prints its environment', async () => {
    const { run } = await makeSecretWorld({ PATH: process.env['PATH'] ?? '' });
    const argv = [...compact.slice(0, -1), 'command', '--summarizer-command', 'env >&2; exit 1'];
    const { out, err, exitCode } = await run(...argv, '--json');
    expect(exitCode).toBe(3);
    expect(out).toContain('the command failed');
    expect(find(out + err)).toEqual([]);
  });
});
