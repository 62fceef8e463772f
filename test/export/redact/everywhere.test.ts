import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { sized } from '../../harness/runs.ts';
import { runTest } from '../../memory-terminal.ts';
import { assistant, call, result, toSession, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';
import { KINDS, makeKey } from './kinds.ts';
import { readOutput } from './read-output.ts';

const FORMATS = ['md', 'html', 'text', 'json', 'jsonl', 'chat', 'atif', 'sts', 'parquet'] as const;

/** Every place that has been asked for a key, which is another in each. */
const places: string[] = [];
const K = (place: string): string => {
  places.push(place);
  return makeKey(place);
};
const cut = (text: string, by: string): string => `${text.slice(0, 15)}${by}${text.slice(15)}`;
const escape = (text: string): string =>
  text.replace(/./g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
const toEntities = (text: string): string =>
  text.replace(/./g, (char) => `&#${char.charCodeAt(0)};`);
const encode = (text: string): string => Buffer.from(text).toString('base64');
const text = (said: string): object => ({ type: 'text', text: said });
const pad = (said: string): string => `see ${said} there`;
const split = K('two blocks');

const ENTRIES: readonly object[] = [
  { type: 'session_info', name: pad(K('session name')) },
  { type: 'model_change', provider: K('changed provider'), modelId: K('changed model') },
  { type: 'thinking_level_change', thinkingLevel: K('thinking level') },
  user('plain'),
  user(pad(K('user text'))),
  user([text(pad(K('user block'))), text(split.slice(0, 18)), text(split.slice(18))]),
  user(pad(cut(K('colours'), '\u001b[0m\u001b[31m'))),
  user(pad(cut(K('zero-width space'), '\u200b'))),
  user(pad(cut(K('soft hyphen'), '\u00ad'))),
  user(pad(cut(K('direction mark'), '\u202e'))),
  user(pad(cut(K('variation selector'), '\ufe0f'))),
  user(pad(cut(K('control character'), '\u0001'))),
  user(pad(cut(K('C1 character'), '\u0085'))),
  user(pad(cut(K('cursor move'), '\u001b[2C'))),
  user(`\u001b]0;${K('window title')}\u0007 shown`),
  user(pad(cut(K('line feed'), '\n'))),
  user(pad(cut(K('indented line'), '\r\n    '))),
  user(pad(cut(K('continued line'), '\\\n'))),
  user(pad(escape(K('unicode escapes')))),
  user(pad(K('name of HTML').replace('_', '&lowbar;'))),
  user(pad(cut(K('invisible name of HTML'), '&shy;'))),
  user(pad(encode(`café ${K('base64 beyond ASCII')}`))),
  user(pad(encode(`${'A=1\n'.repeat(12)}${K('lines of base64')}\n`).replace(/.{76}/g, '$&\n'))),
  user(`${encode(`A=1\n${K('base64 above a word')}aaa\n`)}\nword`),
  user(pad(`0x${Buffer.from(K('hexadecimal number')).toString('hex')}`)),
  user(pad(`"line\\n${K('after an escape')}\\nmore"`)),
  user(pad(JSON.stringify(JSON.stringify(JSON.stringify(`\n${K('nested escapes')}`))))),
  user(pad(K('Markdown escape').replace('_', '\\_'))),
  user(pad(toEntities(K('entities')))),
  user(pad(cut(K('lone surrogate'), '\ud800'))),
  user(pad(encodeURIComponent(`?q=${K('URL')}&r=1`))),
  user(pad(Buffer.from(`x ${K('base64')} x`).toString('base64'))),
  user(pad(Buffer.from(K('hexadecimal')).toString('hex'))),
  user(`\`\`\`sh\nexport T=${K('code block')}\n\`\`\``),
  user(`[link](https://example.com/${K('link')})`),
  user(`| a | ${K('table cell')} |`),
  user(`# ${K('heading')}`),
  user(`<b title="${K('markup')}">x</b>`),
  user(`${'x'.repeat(70_000)} ${K('far into a text')}`),
  user([text('an image'), { type: 'image', mimeType: 'image/png', data: K('image data') }]),
  user([{ type: 'image', mimeType: K('image type'), data: 'iVBORw0KGgo=' }]),
  assistant(pad(K('answer'))),
  { ...assistant('', {}), content: [{ type: 'thinking', thinking: pad(K('thought')) }] },
  {
    ...assistant('', {}),
    content: [{ type: 'thinking', thinking: 'hm', thinkingSignature: `=${K('signature')}` }],
  },
  assistant('Hello.', { provider: K('provider'), model: K('model'), api: K('api') }),
  assistant('No.', { stopReason: 'error', errorMessage: pad(K('error')) }),
  assistant('No.', { stopReason: K('stop reason') }),
  assistant('Yes.', { responseId: K('response id') }),
  call('c1', 'bash', { command: `curl ${K('command')}` }),
  result('c1', 'bash', pad(K('output'))),
  call('c2', K('tool name'), { [K('argument name')]: 1, list: [[K('argument in a list')]] }),
  result('c2', K('tool of a result'), [text(pad(K('output block')))]),
  call(K('call id'), 'read', { path: `/home/${K('path')}/x` }),
  result(makeKey('call id'), 'read', 'read'),
  call('c3', 'edit', {
    deep: { deeper: { deepest: K('deep argument') } },
    argv: ['--token', K('argv')],
  }),
  { ...result('c3', 'edit', 'ok'), details: { diff: `+ ${K('details')}`, [K('details name')]: 1 } },
  {
    role: 'bashExecution',
    command: `ssh ${K('own command')}`,
    output: pad(K('own output')),
    exitCode: 0,
    timestamp: 1,
  },
  {
    role: 'custom',
    customType: K('custom type'),
    content: pad(K('custom content')),
    display: true,
    timestamp: 1,
  },
  { role: K('unknown role'), content: pad(K('content of an unknown role')), timestamp: 1 },
  { type: 'custom', customType: 'state', data: { state: K('extension state') } },
  { type: K('unknown type'), text: K('text of an unknown type') },
  { type: 'label', targetId: 'e3', label: pad(K('label')) },
  { type: 'branch_summary', fromId: 'e3', summary: pad(K('branch summary')) },
  { type: 'session_info', name: pad(K('last name')) },
];
const LINES = toSession(ENTRIES).map((line, index) =>
  index === 0
    ? {
        ...line,
        id: K('session id'),
        cwd: `/work/${K('working directory')}`,
        parentSession: `/old/${K('parent session')}.jsonl`,
        more: K('unknown header field'),
      }
    : line,
);
/** What is left of these would be as good as the key. */
const ENCODED: readonly string[] = [
  toEntities(makeKey('entities')),
  encode(`café ${makeKey('base64 beyond ASCII')}`).slice(-40),
  encode(`${'A=1\n'.repeat(12)}${makeKey('lines of base64')}\n`).slice(0, 76),
  encode(`A=1\n${makeKey('base64 above a word')}aaa\n`),
  Buffer.from(makeKey('hexadecimal number')).toString('hex'),
];
const last = { ...LINES.at(-1), id: K('entry id'), parentId: `e${ENTRIES.length - 2}` };
/** A reader of JSON takes the last of two members of one name. */
const twice = (line: string): string =>
  line.replace('"content":"plain"', `"content":"${K('first of two members')}","content":"plain"`);
const FILE = `in/${K('file name')}.jsonl`;

let dir: string;
beforeEach(async () => {
  dir = await makeTempDir();
  const kinds = KINDS.map(({ kind, text: said }) => user(`${kind}:\n\n${said}\n`));
  await writeFiles(dir, {
    [FILE]: twice(toJsonl([...LINES.slice(0, -1), last])),
    'in/kinds.jsonl': toJsonl(toSession([...kinds, assistant('I see.')])),
  });
});

// All see the same redacted session: some of them show it.
it.each(sized<readonly string[]>(['md', 'html', 'jsonl', 'parquet'], FORMATS))(
  'an export with --redact as %s shows no secret',
  async (as) => {
    const args = ['export', '--store', 'in', '--as', as, '--out', 'out', '--redact'];
    const { exitCode, err } = await runTest(args, { cwd: dir });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const written = await readOutput(join(dir, 'out'));
    // Their random parts: what is left of a key that was cut in two is none.
    expect(places.filter((place) => written.includes(makeKey(place).slice(-20)))).toEqual([]);
    expect(ENCODED.filter((encoded) => written.includes(encoded))).toEqual([]);
    expect(KINDS.filter(({ core }) => written.includes(core)).map(({ kind }) => kind)).toEqual([]);
    expect(written).toContain('I see.');
    expect(places.length).toBeGreaterThanOrEqual(60);
  },
);
