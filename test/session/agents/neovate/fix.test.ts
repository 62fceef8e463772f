import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixSession } from '../../../../src/session/validate/fix-session.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { buildHealthy, toText, withLines, withTextBefore } from './healthy-session.ts';
import { loadConfig, loadNeovate } from './neovate-loader.ts';
import { getRecorded } from './recorded.ts';

async function fix(content: string) {
  const path = join(await makeTempDir(), '0a1b2c3d.jsonl');
  await writeFile(path, content);
  const options = { levels: new Map(), dryRun: false, now: () => 0 };
  const outcome = await fixSession(path, options);
  const again = await fixSession(path, options);
  const read = (name: string): Promise<string> => readFile(name, 'utf8').catch(() => '');
  return { outcome, again, text: await read(path), rejected: await read(`${path}.rejected`) };
}

describe('validate --fix of a Neovate session', () => {
  it('drops a torn tail, after which the agent opens the session', async () => {
    const { text: torn } = getRecorded('broken-torn-last-line');
    expect(() => loadNeovate(torn)).toThrow(/JSON/);
    const { text, rejected, again } = await fix(torn);
    expect(loadNeovate(text)).toHaveLength(13);
    expect(torn.startsWith(text)).toBe(true);
    expect(rejected).toContain('452a59aa');
    expect(again?.action).toBe('unchanged');
  });

  it.each([
    ['a torn line that a later write has ended', '{"parentUuid":"la\n'],
    ['a line of white space', ' \t\n'],
    ['a carriage return', '\r\n'],
    ['prose', 'not json\n'],
  ])('takes out %s, and nothing else', async (_, line) => {
    const broken = withTextBefore(5, line);
    expect(() => loadNeovate(broken)).toThrow(/JSON/);
    const { text, rejected, outcome } = await fix(broken);
    expect(text).toBe(toText(buildHealthy()));
    expect(rejected).toContain(JSON.stringify(line.slice(0, -1)).slice(1, -1));
    expect(outcome?.repaired).toHaveLength(1);
  });

  it('splits messages that share a line', async () => {
    const healthy = toText(buildHealthy());
    const { text } = await fix(healthy.replace('}\n{"uuid":"call"', '}{"uuid":"call"'));
    expect(text).toBe(healthy);
  });

  it('keeps the settings that count, and moves the others away', async () => {
    const { text: before } = getRecorded('broken-two-config-lines');
    const { text, rejected } = await fix(before);
    expect(loadConfig(text)).toEqual(loadConfig(before));
    expect(text.match(/"type":"config"/g)).toHaveLength(1);
    expect(rejected).toContain('Sorting helper');
    expect(loadNeovate(text)).toEqual(loadNeovate(before));
  });

  it('moves a byte order mark away', async () => {
    const { text } = await fix(`\ufeff${toText(buildHealthy())}`);
    expect(text).toBe(toText(buildHealthy()));
  });

  it('leaves a healthy session alone', async () => {
    const { outcome, text } = await fix(withLines({ type: 'some-new-thing' }));
    expect(outcome?.action).toBe('unchanged');
    expect(text).toBe(withLines({ type: 'some-new-thing' }));
  });
});
