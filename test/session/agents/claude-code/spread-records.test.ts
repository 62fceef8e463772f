import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixSession } from '../../../../src/session/validate/fix-session.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { runTest } from '../../../memory-terminal.ts';
import { talk } from './asked-lines.ts';
import { toSessionPath } from './healthy-session.ts';

const [first, second, third, fourth] = talk.map((line) => JSON.stringify(line));
const pretty = JSON.stringify(talk[2], null, 2);
const odd = JSON.stringify({
  ...talk[2],
  more: [[], {}, [1, -2.5e3, { a: [] }], null, true, '\\"{'],
});

async function fix(content: string) {
  const path = toSessionPath(await makeTempDir());
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  const outcome = await fixSession(path, { levels: new Map(), dryRun: false, now: () => 0 });
  const findings = outcome?.validation.findings ?? [];
  return {
    spread: findings.filter(({ rule }) => rule === 'record-spread').map(({ line }) => line),
    isFixable: findings.some(({ fixable }) => fixable),
    isChanged: (await readFile(path, 'utf8')) !== content,
    reasons: outcome?.reasons,
  };
}

const KEPT = { isFixable: false, isChanged: false };

describe('a record of Claude Code on several lines', () => {
  it.each([
    { what: 'as an editor lays one out', spread: pretty },
    { what: 'with values of every kind', spread: JSON.stringify(JSON.parse(odd), null, 1) },
    { what: 'with the line ends of Windows', spread: pretty.replaceAll('\n', '\r\n') },
    { what: 'with blank lines', spread: pretty.replaceAll('\n', '\n\n') },
    { what: 'cut between a name and its value', spread: third?.replace('"uuid":', '"uuid"\n:\n') },
    { what: 'with more behind it', spread: `${pretty}{"a":` },
  ])('keeps --fix from taking it for lost: $what', async ({ spread }) => {
    const outcome = await fix(`${first}\n${second}\n${spread}\n${fourth}\n`);
    expect(outcome).toMatchObject({ ...KEPT, spread: [3] });
  });

  it('is named where there is something else to repair', async () => {
    const { reasons, ...rest } = await fix(`\0\0${first}\n${second}\n${pretty}\n${fourth}\n`);
    expect(rest).toMatchObject({ ...KEPT, spread: [3] });
    expect(reasons).toEqual([
      'line 3 begins a record that stands on several lines, which Claude Code reads: write it on one line first',
    ]);
  });

  it('keeps a compaction from being appended behind what is read', async () => {
    const path = toSessionPath(await makeTempDir());
    await mkdir(dirname(path), { recursive: true });
    const content = `${first}\n${second}\n${third}\n${JSON.stringify(talk[3], null, 2)}\n`;
    await writeFile(path, content);
    const argv = ['compact', path, '--force', '--apply', '--grace', '0s', '--json'];
    const { out } = await runTest(argv, { cwd: dirname(path) });
    expect(JSON.parse(out)).toMatchObject({
      results: [{ action: 'skip', reasons: [expect.stringContaining('line 4 begins a record')] }],
    });
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it('is found behind a line that is cut off, and at the end without its line feed', async () => {
    const torn = third?.slice(0, third.indexOf('"uuid"'));
    const outcome = await fix(`${first}\n${second}\n${torn}\n${pretty}`);
    expect(outcome).toMatchObject({ ...KEPT, spread: [4] });
  });

  it.each([
    { what: 'cut in the middle of a string', torn: third?.replace('"uuid"', '"uu\nid"') },
    { what: 'cut off behind a name', torn: third?.slice(0, third.indexOf('"uuid":') + 7) },
    { what: 'cut off behind a comma', torn: third?.slice(0, third.indexOf('"uuid"')) },
    { what: 'with a bracket too many', torn: pretty.replace('"uuid"', '],"uuid"') },
    { what: 'with a comma too many', torn: pretty.replace(/\n}$/, ',\n}') },
    { what: 'without a colon', torn: pretty.replace('"uuid":', '"uuid"') },
    { what: 'with a name that is no text', torn: pretty.replace('"uuid"', 'uuid') },
  ])('is not seen in a line $what', async ({ torn }) => {
    const { spread, isChanged } = await fix(`${first}\n${second}\n${torn}\n${fourth}\n`);
    expect({ spread, isChanged }).toEqual({ spread: [], isChanged: true });
  });
});
