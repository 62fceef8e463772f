import { describe, expect, it } from 'vitest';
import type { SpokenMessage, SummaryRequest } from '../../../src/session/model/text/summarizer.ts';
import { extractive } from '../../../src/summarize/extractive/extractive.ts';
import { isProportional } from '../../harness/proportional.ts';

const person = (text: string): SpokenMessage => ({ role: 'user', from: 'person', text });
const says = (text: string): SpokenMessage => ({ role: 'assistant', text, calls: [] });

let calls = 0;
/** A call and what came of it. */
function does(
  name: string,
  args: Record<string, string>,
  text: string,
  isError = false,
): SpokenMessage[] {
  calls += 1;
  const id = `c${calls}`;
  return [
    { role: 'assistant', calls: [{ id, name, arguments: args }] },
    { role: 'tool', callId: id, name, text, isError },
  ];
}

const run = (command: string, text = 'ok', isError = false) =>
  does('bash', { command }, text, isError);

async function summarize(
  messages: readonly SpokenMessage[],
  more: Partial<SummaryRequest> = {},
): Promise<string> {
  const signal = new AbortController().signal;
  const request = { kind: 'history', messages, maxTokens: 4000, signal, ...more } as const;
  return (await extractive.summarize(request)).text;
}

/** The lines below a heading. */
function under(summary: string, heading: string): readonly string[] {
  const [, body = ''] = summary.split(`${heading}\n`);
  return (body.split(/^#/m)[0] ?? '').trim().split('\n');
}

describe('extractive', () => {
  it('uses the headings of the format, in order', async () => {
    const summary = await summarize([person('Please add a login page to the app.')]);
    expect(summary.match(/^#+ .*$/gm)).toEqual([
      '## Goal',
      '## Constraints & Preferences',
      '## Progress',
      '### Done',
      '### In Progress',
      '### Blocked',
      '## Key Decisions',
      '## Next Steps',
      '## Critical Context',
    ]);
  });

  it('takes the goal from the first request, and tells the latest that was answered', async () => {
    const summary = await summarize([
      person('Please add a login page to the app.'),
      says('It is there now.'),
      person('Now make the button of it green.'),
      says('Green it is, as you can see.'),
    ]);
    expect(under(summary, '## Goal')).toEqual([
      'Please add a login page to the app.',
      '',
      'Latest request: Now make the button of it green.',
    ]);
  });

  it('keeps rules of the person in the words of the person, but not questions', async () => {
    const summary = await summarize([
      person('Never touch the generated files. Should we always squash? Use tabs, always.'),
    ]);
    expect(under(summary, '## Constraints & Preferences')).toEqual([
      '- Never touch the generated files.',
      '- Use tabs, always.',
    ]);
  });

  it('tells what was answered, with the gist of the answer, and what was committed', async () => {
    const summary = await summarize([
      person('Rename the helper to formatDate everywhere.'),
      ...run('git commit -m "Rename the helper"'),
      says('Done!\n\n## Summary\n\nRenamed `fmt` to `formatDate` in 12 files. Tests pass.'),
    ]);
    expect(under(summary, '### Done')).toEqual([
      '- [x] Rename the helper to formatDate everywhere. → Renamed `fmt` to `formatDate` in 12 files. Tests pass.',
      '- [x] Committed: Rename the helper',
    ]);
  });

  it('tells what is not over, and why it broke off', async () => {
    const summary = await summarize([
      person('Rename the helper to formatDate everywhere.'),
      { role: 'assistant', text: 'I begin.', calls: [], failure: 'overloaded' },
    ]);
    expect(under(summary, '### In Progress')).toEqual([
      '- [ ] Rename the helper to formatDate everywhere. (broke off: overloaded)',
    ]);
  });

  it('tells failures without a later success, by the line that says what went wrong', async () => {
    const summary = await summarize([
      person('Make the build work again, please.'),
      ...run('cd /app && npm test 2>&1 | tail -5', 'x\nError: boom\ny', true),
      ...run('npm run build', 'broken', true),
      ...run('npm run build', 'built'),
      ...run('grep -n nothing src', 'Command exited with code 1', true),
    ]);
    expect(under(summary, '### Blocked')).toEqual(['- `npm test` failed: Error: boom']);
    expect(summary).toContain('`npm run build`: passed when last run');
    expect(summary).toContain('`npm test`: failed when last run');
  });

  it('quotes causes and corrections', async () => {
    const summary = await summarize([
      person('Why does the upload fail on Mondays?'),
      says('The root cause is a cron job that rotates the key. I looked at it.'),
      person('No, retry the upload instead.'),
      says('It retries three times now.'),
      person('Tell the others about the change.'),
      says('I have told them all.'),
    ]);
    expect(under(summary, '## Key Decisions')).toEqual([
      '- **User**: No, retry the upload instead.',
      '- The root cause is a cron job that rotates the key.',
    ]);
  });

  it('tells the steps that were announced, and the question that is open', async () => {
    const summary = await summarize([
      person('Plan the migration of the database.'),
      says('Here it is.\n\nNext steps:\n1. Dump the old one\n2. Load it\n\nShall I start now?'),
    ]);
    expect(under(summary, '## Next Steps')).toEqual([
      '1. Dump the old one',
      '2. Load it',
      '3. Shall I start now?',
      "4. Wait for the user's answer to: Shall I start now?",
    ]);
  });

  it('counts the changes of each file', async () => {
    const summary = await summarize([
      person('Tidy up the two modules, please.'),
      ...does('edit', { path: 'a.ts' }, 'ok'),
      ...does('edit', { path: 'a.ts' }, 'ok'),
      ...does('write', { path: 'b.ts' }, 'ok'),
      ...does('edit', { path: 'c.ts' }, 'no such text', true),
    ]);
    expect(summary).toContain('`a.ts` (2), `b.ts` (1)');
    expect(summary).not.toContain('`c.ts` (');
  });

  it('merges an earlier summary, and stays as it is when merged again', async () => {
    const first = await summarize([
      person('Please add a login page to the app. Never store passwords.'),
      says('It is there now.\n\nNext steps:\n- Style it'),
    ]);
    const news = [person('Now make the button of it green.'), says('It is green.')];
    const second = await summarize(news, { previousSummary: first });
    expect(second.match(/add a login page/g)).toHaveLength(2);
    expect(under(second, '## Constraints & Preferences')).toEqual(['- Never store passwords.']);
    expect(under(second, '### Done')).toHaveLength(2);
    expect(await summarize(news, { previousSummary: second })).toBe(second);
  });

  it('reads summaries that others wrote, and leaves the file lists out', async () => {
    const previousSummary =
      '## Goal\nShip v2.\n\n## Progress\n### Done\n- [x] Wrote it\n\n### In Progress\n' +
      '- [ ] Docs\n  with samples\n\n## Odd\nKeep me.\n\n<read-files>\na.ts\n</read-files>';
    const summary = await summarize([says('Fine.')], { previousSummary });
    expect(under(summary, '## Goal')).toEqual(['Ship v2.']);
    expect(under(summary, '### Done')).toContain('- [x] Wrote it');
    expect(under(summary, '### In Progress')).toContain(
      '- [ ] Docs with samples (open at an earlier checkpoint)',
    );
    expect(under(summary, '## Critical Context')).toContain('- Keep me.');
    expect(summary).not.toContain('a.ts');
  });

  it('gives weight to what it is asked to look at', async () => {
    const turns = Array.from({ length: 60 }, (_, index) => [
      person(`Do the task number ${index} of the list, please.`),
      says(`The ${index === 3 ? 'invoice' : 'other'} module number ${index} is finished now.`),
    ]).flat();
    const small = { maxTokens: 400 };
    expect(await summarize(turns, small)).not.toContain('invoice');
    expect(await summarize(turns, { ...small, instructions: 'the invoice module' })).toContain(
      'invoice',
    );
  });

  it.each([150, 500, 2000])('keeps within %i tokens, whatever there is', async (maxTokens) => {
    const turns = Array.from({ length: 300 }, (_, index) => [
      person(`Always do ${index}. ${'word '.repeat(300)}`),
      ...run(`npm run check-${index}`, 'Error: no', true),
      says(`Because of ${index} it is ${'so '.repeat(100)}.`),
    ]).flat();
    const summary = await summarize(turns, { maxTokens });
    expect(summary.length).toBeLessThanOrEqual(maxTokens * 4);
    expect(summary).toContain('## Goal\nAlways do 0.');
  });

  it('leaves empty parts out of the beginning of a turn', async () => {
    const summary = await summarize([person('Rename the helper everywhere.')], {
      kind: 'turn-prefix',
    });
    expect(summary).not.toContain('(none)');
  });

  it('refuses to make a summary out of nothing', async () => {
    await expect(summarize([])).rejects.toThrow('nothing in the conversation');
  });

  it('reads long lines in time in proportion', async () => {
    const makeTurns = (size: number) => [person('a b '.repeat(size)), says('. '.repeat(size))];
    expect(await isProportional(20_000, makeTurns, (turns) => summarize(turns))).toBe(true);
  });
});
