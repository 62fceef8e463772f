import {
  appendFileSync,
  cpSync,
  mkdirSync,
  renameSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateSession } from '../../../src/index.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import {
  FIXTURES,
  getRecorded,
  placeIn,
  placeRecorded,
} from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

const TORN = '{"timestamp":"2026-11-21T21:10:02.611Z","ordinal":9';

async function fix(home: string, path: string) {
  const argv = ['validate', path, '--fix', '--grace', '0s'];
  return runTest(argv, { home, cwd: home });
}

async function listErrors(path: string) {
  const found = await validateSession(path);
  return found?.findings.filter(({ level }) => level === 'error').map(({ rule }) => rule);
}

/** Puts the header on the fourth line. */
function moveHeader(text: string): string {
  const [header = '', ...lines] = text.split('\n');
  return [...lines.slice(0, 3), header, ...lines.slice(3)].join('\n');
}

/** What is done to the text of a rollout. */
const DAMAGE: readonly (readonly [what: string, damage: (text: string) => string])[] = [
  ['a torn line', (text) => text + TORN],
  ['a byte order mark', (text) => `\uFEFF${text}`],
  ['NUL bytes in front of a line', (text) => text.replace(/\n(?=[^\n]*task_complete)/, '\n\0\0\0')],
  ['its header on the fourth line', moveHeader],
  ['two lines in one', (text) => text.replace(/\n(?=[^\n]*task_complete)/, '')],
];

describe('validate --fix', () => {
  it.each(
    ['linear-tools', 'legacy-linear'].flatMap((name) =>
      DAMAGE.map((one) => [name, ...one] as const),
    ),
  )('repairs a rollout that nothing counts on: %s with %s', async (name, _, damage) => {
    const path = await placeRecorded(getRecorded(name));
    const text = readFileSync(path, 'utf8');
    const { messages } = await readContext(path);
    writeFileSync(path, damage(text));
    expect(await listErrors(path)).not.toEqual([]);
    await fix(dirname(path), path);
    expect(await listErrors(path)).toEqual([]);
    expect((await readContext(path)).messages).toEqual(messages);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it.each(['linear-tools', 'legacy-linear'])(
    'writes U+FFFD for bytes that are not text, and keeps them: %s',
    async (name) => {
      const path = await placeRecorded(getRecorded(name));
      const whole = readFileSync(path);
      const at = whole.indexOf('"role":"user"') + '"role":"user'.length;
      const bad = Buffer.from([0xe2, 0x82]);
      const parts = [whole.subarray(0, at), bad, whole.subarray(at), Buffer.from('{"times'), bad];
      writeFileSync(path, Buffer.concat(parts));
      expect(await listErrors(path)).toContain('rollout-invalid-utf8');
      await fix(dirname(path), path);
      expect(await listErrors(path)).toEqual([]);
      const text = whole.toString('utf8');
      expect(readFileSync(path, 'utf8')).toBe(`${text.slice(0, at)}\ufffd${text.slice(at)}`);
      const rejected = readFileSync(`${path}.rejected`, 'utf8').trim().split('\n');
      const kept = rejected.map((line) => JSON.parse(line) as { rule: string; base64: string });
      expect(kept.map(({ rule }) => rule)).toEqual(['rollout-invalid-utf8', 'line-torn']);
      for (const { base64 } of kept) expect(Buffer.from(base64, 'base64').includes(bad)).toBe(true);
    },
  );

  it('takes out a header of the same thread below other lines, and no other header', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    const text = readFileSync(path, 'utf8');
    const [header = ''] = text.split('\n');
    const other = header.replaceAll(/"(?:session_)?id":"[^"]*"/g, (id) => id.replace('0', '1'));
    for (const [again, isTaken] of [
      [header, true],
      [other, false],
    ] as const) {
      const damaged = text.replace(/\n(?=[^\n]*task_complete)/, `\n${again}\n`);
      writeFileSync(path, damaged);
      await fix(dirname(path), path);
      expect(readFileSync(path, 'utf8')).toBe(isTaken ? text : damaged);
    }
  });

  it('leaves a header below other lines where ordinals would go back', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    const damaged = moveHeader(readFileSync(path, 'utf8').replace('"ordinal":0,', '"ordinal":3,'));
    writeFileSync(path, damaged);
    await fix(dirname(path), path);
    expect(readFileSync(path, 'utf8')).toBe(damaged);
  });

  it('leaves a rollout as it is that a fork goes on from', async () => {
    const home = await makeTempDir();
    const recorded = getRecorded('fork-child');
    await placeIn(home, recorded);
    const parent = join(home, recorded.also[0]?.place ?? '');
    appendFileSync(parent, TORN);
    const before = readFileSync(parent);
    const { out, err } = await fix(home, parent);
    expect(out + err).toContain('continues from a byte of it');
    expect(readFileSync(parent).equals(before)).toBe(true);
  });

  it.each([
    ['in its home', ''],
    ['where the settings say', 'elsewhere'],
  ])('leaves a rollout as it is of which the client has the turns %s', async (_, place) => {
    const home = await makeTempDir();
    cpSync(join(FIXTURES, 'home'), home, { recursive: true });
    const databases = readdirSync(home).filter((name) => name.startsWith('thread_history'));
    if (place !== '') {
      writeFileSync(join(home, 'config.toml'), `sqlite_home = "${join(home, place)}"\n`);
      mkdirSync(join(home, place));
      for (const name of databases) renameSync(join(home, name), join(home, place, name));
    }
    const path = join(
      home,
      readdirSync(home, { recursive: true, encoding: 'utf8' }).find((name) =>
        name.endsWith('546c-7510-b5fc-2cd045944e1a.jsonl'),
      ) ?? '',
    );
    appendFileSync(path, TORN);
    const { out, err } = await fix(home, path);
    expect(out + err).toContain('counts its bytes');
    expect(readFileSync(path, 'utf8').endsWith(TORN)).toBe(true);
    expect(existsSync(`${path}.rejected`)).toBe(false);
  });

  it('leaves a rollout as it is beside a database that it cannot read', async () => {
    const home = await makeTempDir();
    const path = await placeIn(home, getRecorded('linear-tools'));
    writeFileSync(join(home, 'thread_history_7.sqlite'), '');
    appendFileSync(path, TORN);
    const { out, err } = await fix(home, path);
    expect(out + err).toContain('cannot be read; left unchanged');
    expect(readFileSync(path, 'utf8').endsWith(TORN)).toBe(true);
  });
});
