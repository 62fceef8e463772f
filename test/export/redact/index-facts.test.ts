import { join } from 'node:path';
import { expect, it } from 'vitest';
import { redactSummary } from '../../../src/export/open-document.ts';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { hideIds } from '../../../src/export/redact/secrets/learn-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { Session } from '../../../src/session/model/session.ts';
import type { SessionSummary } from '../../../src/session/model/summary.ts';
import { NO_USAGE } from '../../../src/session/model/usage.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';
import { makeKey } from './kinds.ts';

it('hides what an index knows of models, files and other sessions', async () => {
  const key = makeKey('model');
  const redactor = new Redactor(detectSecrets, []);
  await redactor.learn({ payload: { model: `gpt ${key}` } }, 1);
  const entry = { id: 'e1', parentId: null, type: 'turn_context', time: 0, line: 1 };
  const model = { provider: undefined, modelId: `gpt ${key}` };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked for
  const session = { entries: [{ ...entry, model }] } as unknown as Session;
  const hidden = [...hideIds(session, redactor).values()];
  expect(hidden).toHaveLength(1);
  expect(JSON.stringify(hidden)).not.toContain(key);
  const facts = { id: 'a', models: [], files: [`/x/${key}`], relations: { base: { id: key } } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked for
  const safe = await redactSummary(facts as unknown as SessionSummary, redactor);
  expect(JSON.stringify(safe)).not.toContain(key);
});

it('hides every text of a summary, also of what is added to one later', async () => {
  const key = makeKey('model');
  const redactor = new Redactor(detectSecrets, []);
  await redactor.learn({ payload: { model: `gpt ${key}` } }, 1);
  const text = `/x/${key}`;
  const time = '2026-01-05T10:00:00.000Z';
  const usage = NO_USAGE;
  const entryUsage = { key: text, request: text, model: text, time: 0, usage };
  const file = { path: text, id: text, created: time, modified: time, messageCount: 1, size: 1 };
  const counts = { entryCount: 1, leafCount: 1, compactionCount: 0 };
  const used = { models: [text], usage, entryUsages: [entryUsage] };
  const named = { type: text, description: text, callId: text };
  const facts: Required<SessionSummary> = {
    ...file,
    ...counts,
    ...used,
    packedUsages: { models: [text], numbers: [] },
    agent: 'codex',
    formatVersion: 3,
    cwd: text,
    name: text,
    firstMessage: text,
    listedByFile: true,
    hasLaterLine: true,
    givenName: text,
    namedAt: time,
    parentSessionPath: text,
    branchedFrom: text,
    userMessageCount: 1,
    branchMessageCount: 1,
    workCount: 1,
    labelCount: 0,
    unread: { lines: 0, entries: 0, times: 0 },
    fileModified: time,
    lastWritten: time,
    gitBranch: text,
    entrypoint: text,
    source: 'exec',
    expires: time,
    archived: false,
    files: [text],
    relations: { fileId: text, forkOf: text, subagentName: text, messagesAt: [] },
    origins: [text],
    claims: [text],
    otherCwds: [text],
    earlierPaths: [text],
    isHeldByHost: true,
    listedCwd: text,
    possibleForks: [text],
    otherParents: [text],
    subagents: [{ ...file, ...counts, ...used, ...named }],
    problem: { code: 'x', message: text },
  };
  const { entryUsages: _, ...shown } = await redactSummary(facts, redactor);
  const safe = JSON.stringify(shown);
  expect(safe).not.toContain(key);
  expect(safe).not.toContain(key.slice(8));
});

it('takes what only the name in the index of Codex gives away out of every fact', async () => {
  const home = await makeTempDir();
  const id = '01a20009-2bcf-7673-a6db-e190482af03c';
  const secret = 'Q7kd93jfLs02mNvbx9';
  const timestamp = '2026-05-06T10:02:30.801Z';
  const git = { branch: `fix/${secret}` };
  const meta = {
    session_id: id,
    id,
    timestamp,
    cwd: '/a',
    source: 'cli',
    originator: 'codex',
    git,
  };
  const content = [{ type: 'input_text', text: 'hello' }];
  const lines = [
    { timestamp, type: 'session_meta', payload: { ...meta, cli_version: '0.130.0' } },
    { timestamp, type: 'response_item', payload: { type: 'message', role: 'user', content } },
  ];
  const name = `.codex/sessions/2026/05/06/rollout-2026-05-06T10-02-30-${id}.jsonl`;
  const named = { id, thread_name: `the password: ${secret}`, updated_at: timestamp };
  await writeFiles(home, {
    [name]: toJsonl(lines),
    '.codex/session_index.jsonl': toJsonl([named]),
  });
  const argv = ['export', join(home, name), '--as', 'json'];
  const shown = (await runTest(argv, { home, cwd: home })).out;
  expect(shown.split(secret)).toHaveLength(3);
  const { out } = await runTest([...argv, '--redact'], { home, cwd: home });
  expect(out).toContain('"gitBranch":"fix/[REDACTED:');
  expect(out).not.toContain(secret);
});

it.each([
  ['Claude Code', '-work-wkBN7-2raYD-19xc-'],
  ['Neovate', 'work-wkbn7-2rayd-19xc'],
])('finds a secret in the name that %s gives the folder of a directory', async (_, folder) => {
  const redactor = new Redactor(detectSecrets, []);
  await redactor.learn({ cwd: '/work/wkBN7.2raYD_19xc!', text: 'password: wkBN7.2raYD_19xc!' }, 1);
  const path = `/home/u/.agent/projects/${folder}/a.jsonl`;
  const safe = JSON.stringify(await redactor.redact({ path }, 2));
  expect(safe).toContain('REDACTED');
  expect(safe).not.toMatch(/2raYD/i);
});

it('learns from lines that are no entries: a title before the header, and a second header', async () => {
  const dir = await makeTempDir();
  const header = { type: 'session', version: 3, id: 'a', timestamp: '2026-01-05T10:00:00.000Z' };
  const say = (id: string, content: string): object => {
    const message = { role: 'user', content, timestamp: 1 };
    return { type: 'message', id, parentId: null, timestamp: header.timestamp, message };
  };
  const [first, second] = ['kUx72LmQp9Vd3T', 'Qv81LmZp4Xd7Rw'];
  await writeFiles(dir, {
    'a.jsonl': toJsonl([
      { type: 'title', title: `DB_PASSWORD=${first} here` },
      { ...header, cwd: '/p' },
      say('aaaaaaa1', `zebra ${first}, lion ${second}`),
      { ...header, cwd: `/p/DB_PASSWORD=${second}` },
      { type: 'session_info', id: 'aaaaaaa2', parentId: 'aaaaaaa1', name: 'Other' },
    ]),
  });
  const { out } = await runTest(['export', 'a.jsonl', '--redact'], { cwd: dir });
  expect(out).toMatch(/zebra \[REDACTED:[a-z-]+\], lion \[REDACTED:[a-z-]+\]/);
});
