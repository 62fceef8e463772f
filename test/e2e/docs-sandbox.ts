import { execFile } from 'node:child_process';
import { chmod, cp, readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toProjectDirectoryName } from '../../src/session/agents/neovate/places/surroundings.ts';
import { runTest } from '../memory-terminal.ts';
import { sampleSession } from '../sample-session.ts';
import { writeFiles } from '../temp-dir.ts';
import { BINARY } from './run-binary.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LONG_AGO = new Date('2026-03-01T00:00:00.000Z');
/** What another program answers when it is asked for a summary. */
const SUMMARY = `printf '## Goal\\n- Passkeys\\n\\n## Progress\\n### Done\\n- A plan\\n'\n`;
/** What came out of a backup before. */
const STREAM = 'exec coppice export --as archive --out -';
const ID = '0199a3f1-0000-7000-8000-000000000001';

export interface LineRun {
  readonly code: number;
  readonly err: string;
}

/** The session that the documentation talks of: named, labeled, with a branch. */
function makeSession(cwd: string): object[] {
  const at = (minute: number) => `2026-02-01T10:0${minute}:00.000Z`;
  const [header = {}, question, answer] = sampleSession({ id: ID, cwd, start: at(0) });
  const user = { role: 'user', content: 'Could we try passkeys?', timestamp: Date.parse(at(3)) };
  const entry = (id: string, parentId: string, minute: number) => {
    return { id, parentId, timestamp: at(minute) };
  };
  return [
    header,
    { ...question },
    { ...answer },
    { type: 'message', ...entry('9c41d2aa', 'aaaaaaa2', 3), message: user },
    {
      type: 'label',
      ...entry('11aa22bb', '9c41d2aa', 4),
      targetId: 'aaaaaaa2',
      label: 'before-refactor',
    },
    { type: 'session_info', ...entry('33cc44dd', '9c41d2aa', 5), name: 'good start' },
  ];
}

/** A recorded session of the other agent, as if it had been at work in this directory. */
async function makeNeovateFiles(cwd: string): Promise<Record<string, string>> {
  const session = join(ROOT, 'test/fixtures/neovate/forked.jsonl');
  const name = toProjectDirectoryName(cwd);
  return {
    [`.neovate/projects/${name}/f05de3d5.jsonl`]: await readFile(session, 'utf8'),
    '.neovate/data.json': JSON.stringify({ projects: { [cwd]: { history: [] } } }),
  };
}

/** A session of Claude Code in which newer messages are hidden. */
function makeClaudeCodeFiles(cwd: string): Record<string, object[]> {
  const sessionId = '7d1f0c2e-0000-4000-8000-000000000001';
  const toId = (at: number) => `2f6a9b10-0000-4000-8000-00000000000${at}`;
  const message = (at: number, above: number, type: string, content: object) => ({
    parentUuid: above === 0 ? null : toId(above),
    uuid: toId(at),
    type,
    message: { role: type, ...content },
    timestamp: `2026-02-01T1${at}:00:00.000Z`,
    sessionId,
    cwd,
  });
  const text = (words: string) => [{ type: 'text', text: words }];
  const answer = (id: string) => ({ id, model: 'claude-opus-5-5', content: text('Done.') });
  return {
    [`.claude/projects/${cwd.replaceAll(/[^A-Za-z0-9]/g, '-')}/${sessionId}.jsonl`]: [
      message(1, 0, 'user', { content: 'Could we try passkeys?' }),
      message(2, 1, 'assistant', answer('msg_1')),
      message(3, 2, 'user', { content: 'And test them?' }),
      message(4, 3, 'assistant', answer('msg_2')),
      { type: 'last-prompt', lastPrompt: 'x', leafUuid: toId(4), sessionId },
      message(5, 2, 'user', { content: 'Another way.' }),
      message(6, 5, 'assistant', answer('msg_3')),
    ],
  };
}

/** A home in which these command lines of the documentation have something to work on. */
export async function makeHome(home: string, lines: readonly string[]): Promise<void> {
  const store = join(home, '.pi/agent/sessions');
  await cp(join(ROOT, 'samples/sessions'), store, { recursive: true });
  await cp(join(ROOT, 'samples/sessions'), join(home, 'test/fixtures/sessions'), {
    recursive: true,
  });
  await cp(join(ROOT, 'samples'), join(home, 'samples'), { recursive: true });
  const project = (path: string) => `--${join(home, path).slice(1).replaceAll('/', '-')}--`;
  const name = (id: string) => `2026-02-01T10-00-00-000Z_${id}.jsonl`;
  await writeFiles(store, {
    [`${project('src/api')}/${name(ID)}`]: makeSession(join(home, 'src/api')),
    [`${project('old')}/${name('old-one')}`]: sampleSession({
      id: 'old-one',
      cwd: join(home, 'old'),
    }),
    [`${project('')}/${name('here')}`]: sampleSession({ id: 'here', cwd: home }),
  });
  await writeFiles(home, {
    'to-archive/a.jsonl': makeSession(join(home, 'src/api')),
    'copy/keep.txt': '',
    ...makeClaudeCodeFiles(join(home, 'src/api')),
    ...(await makeNeovateFiles(join(home, 'old'))),
    // Other programs: they take what they are given, and say something.
    'bin/coppice': `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`,
    'bin/pi': `#!/bin/sh\n${SUMMARY}`,
    'bin/neovate': '#!/bin/sh\n',
    'bin/llm': `#!/bin/sh\ncat >/dev/null; ${SUMMARY}`,
    'bin/jq': '#!/bin/sh\ncat >/dev/null\n',
    'bin/less': '#!/bin/sh\ncat\n',
    'bin/ssh': `#!/bin/sh\ncase "$2" in *-c*) ${STREAM};; *) cat >/dev/null;; esac\n`,
    'bin/age': `#!/bin/sh\ncase "$1" in -d) ${STREAM};; *) cat;; esac\n`,
    'bin/rclone': '#!/bin/sh\ncat >/dev/null\n',
    'bin/restic': '#!/bin/sh\n',
    'bin/npx': '#!/bin/sh\nshift\nexec "$@"\n',
  });
  for (const program of await readdir(join(home, 'bin')))
    await chmod(join(home, 'bin', program), 0o755);
  for (const path of await readdir(home, { recursive: true })) {
    if (path.endsWith('.jsonl')) await utimes(join(home, path), LONG_AGO, LONG_AGO);
  }
  if (!lines.some((line) => line.includes('--archive'))) return;
  for (const archive of ['old', 'old-sessions']) {
    // Archives are restored only into stores of the agents.
    const folder = `.pi/agent/sessions/--${archive}--`;
    await cp(join(home, 'to-archive'), join(home, folder), { recursive: true });
    const options = '--grace 0min --allow-empty --older-than 1d --apply --quiet';
    const line = `coppice prune --store ~/${folder} --archive ~/${archive} ${options}`;
    const { code, err } = await runLine(line, home);
    if (code !== 0) throw new Error(err);
  }
}

const ENV = { TZ: 'UTC', OPENAI_API_KEY: 'none' };
/** What a shell would do more with than to split it at spaces, outside of quotes. */
const NEEDS_SHELL = /[|&;<>()$`\\*?#[\]{}!]|^(?!coppice )/;
const COMMENT = / +# [^'"]*$/;
const QUOTED = /'[^']*'/g;
const WORD = /'([^']*)'|"([^"]*)"|[^\s'"]+/g;

export function needsShell(line: string): boolean {
  return NEEDS_SHELL.test(line.replace(COMMENT, '').replace(QUOTED, ''));
}

/** Runs a line as a person would type it: in this process where no shell is needed. */
export function runLine(line: string, home: string): Promise<LineRun> {
  return needsShell(line) ? runInShell(line, home) : runHere(line.replace(COMMENT, ''), home);
}

async function runHere(line: string, home: string): Promise<LineRun> {
  const [, ...words] = [...line.matchAll(WORD)].map(([word, single, double]) => {
    return single ?? double ?? word.replace(/^~(?=\/|$)/, home);
  });
  const PATH = `${home}/bin:${process.env['PATH'] ?? ''}`;
  const env = { ...ENV, PATH, HOME: home };
  const { exitCode: code, err } = await runTest(words, { cwd: home, home, env, now: Date.now });
  return { code, err };
}

async function runInShell(line: string, home: string): Promise<LineRun> {
  const PATH = `${home}/bin:${process.env['PATH'] ?? ''}`;
  const options = { cwd: home, env: { ...ENV, PATH, HOME: home }, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile('bash', ['-o', 'pipefail', '-c', line], options, (error, _out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, err });
    });
  });
}
