import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatGithub } from '../../../../src/report/findings/formats/github.ts';
import { createHostileReport, createReport, HOSTILE } from '../sample-report.ts';
import { anyCharacter } from '../../../harness/any-character.ts';

const render = (over: Parameters<typeof createReport>[0] = {}): string =>
  [...formatGithub(createReport(over))].join('');

/** As the runner of GitHub Actions takes a command line apart. */
function parseCommand(line: string): {
  name: string;
  properties: Map<string, string>;
  data: string;
} {
  const end = line.indexOf('::', 2);
  const [name = '', ...rest] = line.slice(2, end).split(' ');
  const pairs = rest.join(' ').split(',');
  const properties = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), unescape(pair.slice(at + 1), true)];
  });
  return { name, properties: new Map(properties), data: unescape(line.slice(end + 2), false) };
}

function unescape(text: string, isProperty: boolean): string {
  const data = text.replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  const all = isProperty ? data.replaceAll('%3A', ':').replaceAll('%2C', ',') : data;
  return all.replaceAll('%25', '%');
}

describe('formatGithub', () => {
  it('annotates each finding, and ends with the summary', () => {
    expect(render().split('\n')).toEqual([
      '::error file=logs/a.jsonl,line=440,title=line-glued::two records on one line',
      '::warning file=logs/a.jsonl,line=1611,title=entry-orphan::parent 0b7d is not in the file: 388 of 612 entries are cut off',
      '::error file=/home/u/.pi/locked #1.jsonl,title=EACCES::cannot read: permission denied',
      '2 problems (1 error, 1 warning) in 1 of 3 sessions. 1 of 3 files could not be checked. 1 can be repaired: --fix',
      '',
    ]);
  });

  it('leaves out the summary when it is to be quiet', () => {
    expect(render({ files: [], quiet: true })).toBe('');
  });

  it('calls an info a notice', () => {
    expect([...formatGithub(createHostileReport('x'))][2]).toMatch(
      /^::notice file=xx\.jsonl,line=1,/,
    );
  });

  it('escapes what the runner would take for its own syntax', () => {
    const [first = '', , , last = ''] = formatGithub(createHostileReport('50%\r\na,b:c::d'));
    expect(first).toBe(
      '::error file=x50%25%0D%0Aa%2Cb%3Ac%3A%3Ad.jsonl,line=1,title=rule-error::50%25 a,b:c::d\n',
    );
    expect(last).toBe('::error file=/srv/50%25%0D%0Aa%2Cb%3Ac%3A%3Ad,title=EIO::50%25 a,b:c::d\n');
  });

  it.each(HOSTILE)('lets nothing of %j out of its place', expectWholeCommands);

  it('hides no line end in the name of a file', () => {
    const [first = ''] = formatGithub(createHostileReport('a\u2028b\u2029c\u{e0041}'));
    expect(first).toContain('a\ufffdb\ufffdc\ufffd.jsonl,');
  });

  it('lets no text at all out of its place', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), expectWholeCommands));
    const syntax = fc.constantFrom(':', '::', ',', '=', '%', '\n', '\r', ' ', 'error', '0A', '##[');
    fc.assert(
      fc.property(
        fc.array(syntax).map((parts) => parts.join('')),
        expectWholeCommands,
      ),
    );
  });
});

function expectWholeCommands(text: string): void {
  const report = createHostileReport(text);
  const output = [...formatGithub(report)].join('');
  const lines = output.split('\n');
  expect(lines).toHaveLength(6);
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  for (const [index, line] of lines.slice(0, 4).entries()) {
    const { name, properties } = parseCommand(line);
    const keys = index < 3 ? ['file', 'line', 'title'] : ['file', 'title'];
    expect(name).toBe(['error', 'warning', 'notice', 'error'][index]);
    expect([...properties.keys()]).toEqual(keys);
  }
}
