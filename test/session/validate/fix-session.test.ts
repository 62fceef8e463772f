import { readContext } from '../../../src/session/read/read-context.ts';
import { appendFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FixOptions,
  type FixOutcome,
  fixSession,
} from '../../../src/session/validate/fix-session.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { brokenSession } from '../rules/broken-bytes.ts';
import {
  buildOldSession,
  buildSession,
  lineOf,
  toText,
  writeSession,
} from '../rules/healthy-session.ts';
import { bytesOf, withBytes, withLinesBefore } from '../rules/plant.ts';
import { runs } from '../../harness/runs.ts';
import { findLoss, KEPT, readRejected } from './find-loss.ts';
import type { Level } from '../../../src/session/dialect/levels.ts';

const NOW = Date.UTC(2026, 2, 2);
const healthy = toText(buildSession());
const nul = '\0'.repeat(8);
const last = bytesOf('last').toString();
const name = bytesOf('name').toString();
const torn = bytesOf('bash').subarray(0, 90).toString();

const OPTIONS: FixOptions = { levels: new Map(), dryRun: false, now: () => NOW };

async function fix(path: string, options: Partial<FixOptions> = {}): Promise<FixOutcome> {
  const outcome = await fixSession(path, { ...OPTIONS, ...options });
  if (!outcome) throw new Error('not taken for a session');
  return outcome;
}

/** A file that nobody can be writing to is replaced without waiting for late writers. */
async function writeOld(path: string, bytes: Buffer): Promise<void> {
  await writeFile(path, bytes);
  await utimes(path, NOW / 1000, NOW / 1000);
}

describe('fixSession', () => {
  it('leaves a healthy file alone, and writes nothing beside it', async () => {
    const path = await writeSession(healthy);
    expect(await fix(path)).toMatchObject({ action: 'unchanged', repaired: [], reasons: [] });
    expect(await readdir(dirname(path))).toHaveLength(1);
  });

  const say = (id: string, parentId: string | null, text: string) => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-03-02T09:31:00.000Z',
    message: { role: 'user', content: text, timestamp: 1 },
  });

  it('leaves a last line behind its torn parent, without which pi sends the whole conversation', async () => {
    const [header] = buildSession();
    const main = [say('a', null, 'One.'), say('b', 'a', 'Two.')];
    const half = JSON.stringify(say('c', 'b', 'Three.')).slice(0, 50);
    const path = await writeSession(
      `${toText([header ?? null, ...main])}${half}${toText([say('d', 'c', 'Four.')])}`,
    );
    const { reasons } = await fix(path);
    expect(reasons).toEqual([
      'line 4 is left unrepaired: with the repair, less of the conversation would be sent',
    ]);
    expect((await readContext(path)).messages.map(({ content: said }) => said)).toEqual([
      'One.',
      'Two.',
    ]);
  });

  it('leaves a last line behind its torn parent in a session that lacks a parent already', async () => {
    const [header] = buildSession();
    const main = [say('b', 'a', 'Two.'), say('c', 'b', 'Three.')];
    const half = JSON.stringify(say('d', 'c', 'Four.')).slice(0, 50);
    const content = `${toText([header ?? null, ...main])}${half}${toText([say('e', 'd', 'Five.')])}`;
    const path = await writeSession(content);
    const { reasons } = await fix(path);
    expect(reasons).toEqual([
      'line 4 is left unrepaired: with the repair, less of the conversation would be sent',
    ]);
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it('leaves a line with a torn one behind it, whose parent has lost a part', async () => {
    const [header] = buildSession();
    const main = [say('a', null, 'One.'), say('b', 'a', 'Two.')];
    const damaged = JSON.stringify(say('c', 'b', 'Three.')).slice(4);
    const half = JSON.stringify(say('e', 'd', 'Five.')).slice(0, 50);
    const whole = JSON.stringify(say('d', 'c', 'Four.'));
    const content = `${toText([header ?? null, ...main])}${damaged}\n${whole}${half}`;
    const path = await writeSession(content);
    const { reasons } = await fix(path);
    expect(reasons).toEqual([
      'line 5 is left unrepaired: with the repair, less of the conversation would be sent',
    ]);
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it('gives back the last line of a file, from which pi continues on another branch', async () => {
    const [header] = buildSession();
    const main = [say('a', null, 'One.'), say('b', 'a', 'Two.')];
    const content = `${toText([header ?? null, ...main])}${nul}${toText([say('c', 'a', 'Three.')])}`;
    const path = await writeSession(content);
    expect(await fix(path)).toMatchObject({ action: 'fix', reasons: [] });
    expect((await readContext(path)).messages.map(({ content: said }) => said)).toEqual([
      'One.',
      'Three.',
    ]);
  });

  it('gives records on one line a line each, byte for byte', async () => {
    const glued = withBytes('name', `${name}${last}\n`);
    const path = await writeSession(glued.subarray(0, glued.lastIndexOf('\n', -2) + 1));
    const outcome = await fix(path);
    expect(await readFile(path, 'utf8')).toBe(healthy);
    expect(outcome).toMatchObject({
      action: 'fix',
      rejected: [],
      repaired: [{ rule: 'line-glued' }],
    });
    expect(await readdir(dirname(path))).toHaveLength(1);
  });

  it('keeps the whole record after a torn one, and the torn one in the .rejected file', async () => {
    const path = await writeSession(withBytes('last', `${torn}${last}\n`));
    await fix(path);
    expect(await readFile(path, 'utf8')).toBe(healthy);
    expect(await readRejected(path)).toEqual([
      {
        path,
        line: lineOf('last'),
        byteOffset: healthy.lastIndexOf('\n', healthy.length - 2) + 1,
        rule: 'line-glued',
        time: '2026-03-02T00:00:00.000Z',
        text: torn,
      },
    ]);
  });

  it.each([
    { rule: 'file-bom', broken: Buffer.from(`\ufeff${healthy}`), rejected: ['\ufeff'] },
    { rule: 'line-torn', broken: Buffer.from(healthy + torn), rejected: [torn] },
    { rule: 'line-nul', broken: Buffer.from(healthy + nul), rejected: [nul] },
    { rule: 'line-nul', broken: Buffer.from(healthy + torn + nul), rejected: [torn, nul] },
    { rule: 'line-nul', broken: withLinesBefore('last', Buffer.from(nul)), rejected: [nul] },
    {
      rule: 'line-nul',
      broken: withBytes('last', `${torn}${nul}${last}\n`),
      rejected: [torn, nul],
    },
    {
      rule: 'header-duplicate',
      broken: withLinesBefore('last', buildSession()[0] ?? null),
      rejected: [JSON.stringify(buildSession()[0])],
    },
    { rule: 'line-unterminated', broken: Buffer.from(healthy.trimEnd()), rejected: [] },
  ])('repairs $rule and keeps $rejected', async ({ rule, broken, rejected }) => {
    const path = await writeSession(broken);
    const outcome = await fix(path);
    expect(await readFile(path, 'utf8')).toBe(healthy);
    expect(outcome.repaired.map((finding) => finding.rule)).toEqual([rule]);
    expect(outcome.validation.findings).toEqual([]);
    expect(outcome).toMatchObject({ bytesBefore: broken.length, bytesAfter: healthy.length });
    expect((await readRejected(path)).map(({ text = '' }) => text).toSorted()).toEqual(
      rejected.toSorted(),
    );
  });

  it('keeps what is not text as base64', async () => {
    const broken = Buffer.concat([Buffer.from(healthy), Buffer.from('{"a":"\xff\xfe', 'latin1')]);
    const path = await writeSession(broken);
    await fix(path);
    const [rejected] = await readRejected(path);
    expect(Buffer.from(rejected?.base64 ?? '', 'base64').toString('latin1')).toBe('{"a":"\xff\xfe');
  });

  it('takes out a header that appears only when records are separated', async () => {
    const header = JSON.stringify(buildSession()[0]);
    const path = await writeSession(withBytes('last', `${header}${last}\n`));
    expect(await fix(path)).toMatchObject({ rejected: [{ rule: 'header-duplicate' }] });
    expect(await readFile(path, 'utf8')).toBe(healthy);
  });

  it('leaves a malformed line in the middle where it is', async () => {
    const path = await writeSession(
      withLinesBefore('last', Buffer.from('{"type":'), Buffer.from(nul)),
    );
    const outcome = await fix(path);
    expect(await readFile(path)).toEqual(withLinesBefore('last', Buffer.from('{"type":')));
    expect(outcome.validation.findings.map(({ rule }) => rule)).toEqual(['line-malformed']);
  });

  it('does not take NUL bytes out of the middle of a record', async () => {
    const broken = withLinesBefore('last', Buffer.from('{"type":"cus\0tom"}'));
    const path = await writeSession(broken);
    expect(await fix(path)).toMatchObject({ action: 'unchanged' });
  });

  it('writes times that are numbers as text, and keeps every other byte', async () => {
    const time = /"timestamp":"2026-[^"]+"/g;
    const numbers = healthy.replaceAll(time, (text) => {
      return `"timestamp":${Date.parse(text.slice(13, -1))}`;
    });
    const [header = ''] = healthy.split('\n');
    const path = await writeSession([header, ...numbers.split('\n').slice(1)].join('\n'));
    const { validation } = await fix(path);
    expect(validation.findings).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(healthy);
    expect(await readRejected(path)).toEqual([]);
  });

  it('keeps a time that no text can stand for', async () => {
    for (const time of ['1.5', '1e300']) {
      const path = await writeSession(
        healthy.replace(/("type":"custom".*?"timestamp":)"[^"]+"/, `$1${time}`),
      );
      const before = await readFile(path, 'utf8');
      const { validation } = await fix(path);
      const found = validation.findings.filter(({ rule }) => rule === 'entry-time-number');
      expect(found).toMatchObject([{ fixable: false }]);
      expect(await readFile(path, 'utf8')).toBe(before);
    }
  });

  it('repairs only what rules that are on find', async () => {
    const path = await writeSession(`\ufeff${healthy}${nul}`);
    const levels = new Map<string, Level>([['line-nul', 'off']]);
    expect((await fix(path, { levels })).repaired.map(({ rule }) => rule)).toEqual(['file-bom']);
    expect(await readFile(path, 'utf8')).toBe(healthy + nul);
  });

  it('appends to the .rejected file, closing a torn line of it first', async () => {
    const path = await writeSession(healthy + torn);
    await writeFile(`${path}.rejected`, '{"earlier":1}');
    await fix(path);
    const lines = (await readFile(`${path}.rejected`, 'utf8')).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('{"earlier":1}');
  });

  it('separates records of a v1 session after those that its compaction counts', async () => {
    const records = buildOldSession().map((record) => JSON.stringify(record));
    const glued = [...records.slice(0, -1), `${records.at(-1)}${records.at(-1)}`].join('\n');
    expect((await fix(await writeSession(`${glued}\n`))).repaired).toHaveLength(1);
  });

  it('keeps the mode of the file, and the .rejected file for its owner', async () => {
    const path = await writeSession(healthy + torn);
    await chmod(path, 0o640);
    await fix(path);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect((await stat(`${path}.rejected`)).mode & 0o777).toBe(0o600);
  });
});

describe('fixSession refuses', () => {
  it('when what is taken out cannot be kept', async () => {
    const path = await writeSession(healthy + torn);
    await mkdir(`${path}.rejected`);
    await expect(fix(path)).rejects.toThrow('cannot write: is a directory');
    expect(await readFile(path, 'utf8')).toBe(healthy + torn);
    expect(await readdir(dirname(path))).toHaveLength(2);
  });

  it('a version that is not known', async () => {
    const broken = healthy.replace('"version":3', '"version":4') + torn;
    const path = await writeSession(broken);
    const outcome = await fix(path);
    expect(outcome).toMatchObject({
      action: 'skip',
      reasons: ['is of version 4, which is never changed'],
    });
    expect(outcome.validation.findings.filter(({ fixable }) => fixable)).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(broken);
  });

  it('an unknown version whose header can only be read after the repair', async () => {
    const header = JSON.stringify({ ...buildSession()[0], version: 9 });
    const path = await writeSession(withBytes('header', `${nul}${header}\n`));
    expect(await fix(path)).toMatchObject({ action: 'skip' });
  });

  it('a session that is one JSON array', async () => {
    const path = await writeSession(JSON.stringify(buildSession()));
    expect(await fix(path)).toMatchObject({ action: 'unchanged' });
  });

  it('a line too long to be copied', async () => {
    const path = await writeSession(`${healthy}${'x'.repeat(3000)}\n${torn}`);
    expect(await fix(path, { maxLineBytes: 2000 })).toMatchObject({ action: 'skip' });
  });

  it('to change the number of records that a v1 compaction counts', async () => {
    const [header, ...entries] = toText(buildOldSession()).split(/(?<=\n)/);
    const glued = `${header}${entries[0]?.trimEnd()}${entries.join('')}`;
    const path = await writeSession(`\ufeff${glued}${torn}`);
    const outcome = await fix(path);
    expect(outcome.repaired.map(({ rule }) => rule)).toEqual(['file-bom', 'line-torn']);
    expect(outcome.reasons[0]).toContain('counts lines');
    expect(await readFile(path, 'utf8')).toBe(glued);
  });

  it('a file that is not a session, by giving no answer', async () => {
    const path = await writeSession('{"a":1}\n{"b":');
    expect(await fixSession(path, OPTIONS)).toBeUndefined();
  });

  it('a file that is written to while it is planned', async () => {
    const path = await writeSession(healthy + torn);
    let isFirst = true;
    const signal = AbortSignal.any([]);
    const throwIfAborted = (): void => {
      if (!isFirst) return;
      isFirst = false;
      appendFileSync(path, '\n{"a":');
    };
    const outcome = await fix(path, { signal: Object.assign(signal, { throwIfAborted }) });
    expect(outcome).toMatchObject({
      action: 'skip',
      reasons: ['changed since it was read; left unchanged'],
    });
    expect(await readFile(path, 'utf8')).toBe(`${healthy}${torn}\n{"a":`);
  });
});

it('takes no result out of a file without a header, of which pi sends nothing', async () => {
  const message = {
    role: 'toolResult',
    toolCallId: 'x',
    toolName: 'ls',
    content: [],
    isError: false,
  };
  const entry = {
    type: 'message',
    id: 'e1',
    parentId: 'e0',
    timestamp: '2026-03-01T10:00:16.000Z',
  };
  const bytes = Buffer.from(`${JSON.stringify({ ...entry, message })}\n`);
  const path = await writeSession('');
  await writeOld(path, bytes);
  const outcome = await fixSession(path, OPTIONS);
  expect(outcome?.validation.findings.map(({ rule }) => rule)).toContain('header-missing');
  expect(await readFile(path)).toEqual(bytes);
});

describe('fixSession on any mixture of lines, torn lines and noise', () => {
  it('loses no byte, repairs all that is fixable, and changes nothing the second time', async () => {
    const path = await writeSession('');
    await fc.assert(
      fc.asyncProperty(brokenSession, async (bytes) => {
        await writeOld(path, bytes);
        await rm(`${path}.rejected`, { force: true });
        const outcome = await fixSession(path, OPTIONS);
        const fixed = await readFile(path);
        expect(outcome?.action === 'fix' || fixed.equals(bytes)).toBe(true);
        const loss = await findLoss(path, bytes, fixed, outcome?.rejected ?? []);
        // Where an entry leaves the context, lines are changed: `refused-results.test.ts` says which.
        const changesLines = outcome?.repaired.some(({ rule }) => rule === 'tool-result-orphan');
        expect(loss.filter((one) => !(changesLines && one === KEPT))).toEqual([]);

        const findings = (await validateSession(path, OPTIONS))?.findings ?? [];
        const isPartial = outcome?.reasons.length !== 0;
        const left = outcome?.validation.findings ?? [];
        const fixable = isPartial ? { fixable: false } : {};
        expect(findings.map((finding) => ({ ...finding, ...fixable }))).toEqual(left);
        expect(left.filter((finding) => finding.fixable)).toEqual([]);

        if (isPartial) return;
        const again = await fixSession(path, OPTIONS);
        expect(again?.repaired ?? []).toEqual([]);
        expect(await readFile(path)).toEqual(fixed);
      }),
      { numRuns: runs(20) },
    );
  });

  it('plans in a dry run what it then does, and writes nothing', async () => {
    const path = await writeSession('');
    await fc.assert(
      fc.asyncProperty(brokenSession, async (bytes) => {
        await writeOld(path, bytes);
        const planned = await fixSession(path, { ...OPTIONS, dryRun: true });
        expect(await readFile(path)).toEqual(bytes);
        expect(await fixSession(path, OPTIONS)).toEqual(planned);
      }),
    );
  });
});
