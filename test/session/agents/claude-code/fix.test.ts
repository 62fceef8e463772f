import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../../src/session/read/read-session.ts';
import { buildTree, getPath } from '../../../../src/session/model/tree/tree.ts';
import { fixSession } from '../../../../src/session/validate/fix-session.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { OTHER, answer, lastPrompt, say, talk } from './asked-lines.ts';
import {
  assistant,
  boundary,
  HEALTHY,
  SESSION_ID,
  summary,
  text as toBlock,
  thinking,
  toNode,
  toSessionPath,
  toText,
  user,
  withFields,
  withMore,
} from './healthy-session.ts';

const healthy = toText(HEALTHY);
const lines = healthy.trimEnd().split('\n');

async function readPath(path: string) {
  const { session } = await readSession(path);
  const tree = buildTree(session.entries, session);
  return getPath(tree, tree.leaf).map(({ id }) => id);
}

async function fix(content: string) {
  const path = toSessionPath(await makeTempDir());
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  const before = await readPath(path);
  const options = { levels: new Map(), dryRun: false, now: () => 0 };
  const outcome = await fixSession(path, options);
  const again = await fixSession(path, options);
  const rejected = await readFile(`${path}.rejected`, 'utf8').catch(() => '');
  return {
    repaired: outcome?.repaired.map(({ rule }) => rule),
    left: outcome?.validation.findings.map(({ rule }) => rule),
    again: again?.action,
    reasons: outcome?.reasons,
    before,
    after: await readPath(path),
    text: await readFile(path, 'utf8'),
    rejected,
  };
}

const ALL = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'];

describe('--fix of a session of Claude Code', () => {
  it('takes one JSON array of its lines for no session, as the client does', async () => {
    const path = toSessionPath(await makeTempDir());
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `[\n${lines.join(',\n')}\n]\n`);
    const options = { levels: new Map(), dryRun: false, now: () => 0 };
    expect(await fixSession(path, options)).toBeUndefined();
  });

  it('gives an orphan the entry before it in the file as its parent, and changes nothing else', async () => {
    const late = HEALTHY.map((line, index) =>
      index < 4 ? line : { ...line, timestamp: '2026-11-21T10:00:00.000Z' },
    );
    const torn = toText(late.with(4, { ...late[4], parentUuid: 'gone' }));
    const { repaired, left, again, before, after, text } = await fix(torn);
    expect({ repaired, left, again }).toEqual({
      repaired: ['node-orphan'],
      left: [],
      again: 'unchanged',
    });
    expect({ before, after }).toEqual({ before: ALL.slice(4), after: ALL });
    expect(text).toBe(torn.replace('"gone"', '"n4"'));
  });

  it('writes down to what the client attaches an orphan for now', async () => {
    const { repaired, before, after, text } = await fix(withFields(5, { parentUuid: 'gone' }));
    expect({ repaired, before, after }).toEqual({
      repaired: ['node-bridged'],
      before: ALL,
      after: ALL,
    });
    expect(text).toBe(healthy);
  });

  it('gives back whole records of a line where two are glued together', async () => {
    const glued = [...lines.slice(0, 2), `${lines[2]}${lines[3]}`, ...lines.slice(4), ''].join(
      '\n',
    );
    const { repaired, before, after, text, again } = await fix(glued);
    expect(repaired).toContain('line-glued');
    expect({ after, text, again }).toEqual({ after: ALL, text: healthy, again: 'unchanged' });
    expect(before).toEqual(ALL.filter((id) => id !== 'n4'));
  });

  it('reads the first of two records also behind a byte order mark, and gives back both', async () => {
    const glued = ['\uFEFF', lines[0], lines.slice(1).join('\n'), '\n'].join('');
    const { before, after, text } = await fix(glued);
    expect(before).toEqual(ALL.filter((id) => id !== 'n2'));
    expect({ after, text }).toEqual({ after: ALL, text: healthy });
  });

  it('bridges the gap of a line that cannot be read, and keeps that line', async () => {
    const broken = [...lines.slice(0, 3), lines[3]?.slice(0, 50), ...lines.slice(4), ''].join('\n');
    const { repaired, left, after, text } = await fix(broken);
    expect({ repaired, left }).toEqual({
      repaired: ['node-bridged'],
      left: ['line-malformed', 'result-uncalled'],
    });
    expect(after).toEqual(ALL.filter((id) => id !== 'n4'));
    expect(text).toBe(broken.replace('"parentUuid":"n4"', '"parentUuid":"n3"'));
  });

  it('takes out NUL bytes and a torn end, which are kept beside the file', async () => {
    const { repaired, text, rejected } = await fix(`\0\0${healthy}{"type":"user","uu`);
    expect(repaired).toEqual(['line-nul', 'line-torn']);
    expect(text).toBe(healthy);
    expect(rejected.split('\n')).toHaveLength(3);
  });

  it('adds the line with which the client forgets a worktree', async () => {
    const state = { worktreePath: import.meta.dirname, originalCwd: '/nowhere' };
    const line = { type: 'worktree-state', worktreeSession: state, sessionId: SESSION_ID };
    const { repaired, left, text, again } = await fix(withMore(line));
    expect({ repaired, left, again }).toEqual({
      repaired: ['worktree-unverified'],
      left: [],
      again: 'unchanged',
    });
    expect(text).toBe(withMore(line, { ...line, worktreeSession: null }));
  });

  it('leaves entries as they are that a compaction keeps without their parents', async () => {
    const kept = { preservedMessages: { anchorUuid: 's', uuids: ['n6', 'n7'] } };
    const compacted = toText([
      ...HEALTHY.slice(5, 7),
      toNode('b', null, 8, boundary(kept)),
      toNode('s', 'b', 9, summary),
    ]);
    const { repaired, text, after } = await fix(compacted);
    expect({ repaired, text }).toEqual({ repaired: [], text: compacted });
    expect(after).toEqual(['b', 's', 'n6', 'n7']);
  });

  it('takes no message out of the conversation that it has', async () => {
    const pin = { type: 'last-prompt', leafUuid: 'n3', explicit: true, sessionId: SESSION_ID };
    const pinned = toText([
      ...HEALTHY.slice(0, 3),
      pin,
      toNode('x1', 'n3', 10, user('First.')),
      toNode('x2', 'gone', 900, user('Second.')),
      toNode('x3', 'x2', 901, user('Third.')),
      toNode('x4', 'x1', 12, user('Fourth.')),
    ]);
    const { before, after } = await fix(pinned);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  const NUL = '\0'.repeat(50);
  const empty = { type: 'last-prompt', leafUuid: null, explicit: true, sessionId: SESSION_ID };
  const compact = [toNode('b', null, 5, boundary()), toNode('s', 'b', 6, summary)];
  it.each([
    {
      what: 'empties the conversation',
      content: `${toText(talk)}${NUL}${toText([empty])}`,
      line: 5,
    },
    {
      what: 'has more behind it, of a model that is not sent the thoughts of another',
      content: toText([
        ...talk,
        toNode('n5', 'n4', 5, assistant('msg_5', thinking)),
        toNode('n6', 'n5', 6, assistant('msg_5', toBlock('Five.'))),
        lastPrompt('n6'),
        say('n7', 'gone', 7),
        toNode('n8', 'n7', 8, assistant('msg_8', toBlock('Eight.'), OTHER)),
      ]),
      line: 8,
    },
  ])('leaves a line that, repaired, $what', async ({ content, line }) => {
    const { reasons, before, after, text: left, again } = await fix(content);
    const reason = `line ${line} is left unrepaired: with the repair, less of the conversation would be sent`;
    expect({ reasons, again }).toEqual({ reasons: [reason], again: 'skip' });
    expect(after).toEqual(expect.arrayContaining([...before]));
    expect(left).toContain(content.split('\n')[line - 1]);
  });

  it('repairs the lines before one that it leaves', async () => {
    const content = `${NUL}${toText(talk)}${NUL}${toText([empty])}`;
    const { reasons, after, text: left, again } = await fix(content);
    expect({ count: reasons?.length, again }).toEqual({ count: 1, again: 'skip' });
    expect(after).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect(left).toBe(content.replace(NUL, ''));
  });

  const [n1, n2, n3, n4] = talk.map((line) => toText([line]));
  const branches = toText([say('n5', 'n4', 5), answer('n6', 'n5', 900), say('n7', 'n3', 901)]);
  it.each([
    { what: 'is the parent of two branches', content: `${n1}${n2}${NUL}${n3}${n4}${branches}` },
    { what: 'begins the conversation anew', content: `${toText(talk)}${NUL}${toText(compact)}` },
  ])('repairs a line that $what once those are attached where they are read', async (one) => {
    const { reasons, before, after, repaired, again } = await fix(one.content);
    expect({ reasons, after, again }).toEqual({ reasons: [], after: before, again: 'unchanged' });
    expect(repaired).toEqual(expect.arrayContaining(['line-nul', 'node-bridged']));
  });
});
