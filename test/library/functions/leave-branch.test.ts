import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type BeforeBranchSummary,
  type BranchAnswer,
  HookError,
  leaveBranch,
  SessionManager,
  type Summarizer,
  SummaryError,
} from '../../../src/index.ts';
import { ANSWER, QUESTION } from '../conversation.ts';

const signal = new AbortController().signal;

let session: SessionManager;
let question: string;

beforeEach(() => {
  session = SessionManager.inMemory('/home/dev/orchard');
  question = session.appendMessage(QUESTION);
  session.appendMessage(call('read', 'a.ts'));
  session.appendMessage(call('edit', 'b.ts'));
  session.appendMessage(call('read', 'b.ts'));
});

function call(name: string, path: string) {
  const block = { type: 'toolCall' as const, id: 'c', name, arguments: { path } };
  return { ...ANSWER, content: [block] };
}

function createSummarizer(text = 'It was tried.') {
  return { summarize: vi.fn<Summarizer['summarize']>().mockResolvedValue({ text }) };
}

describe('leaving a branch', () => {
  it('leaves a summary with the files of the branch, and goes on from there', async () => {
    const summarizer = createSummarizer();
    const from = session.getLeafId();
    const { summaryId } = await leaveBranch(session, question, { summarizer, signal });
    const entry = session.getLeafEntry();
    expect(entry).toMatchObject({
      type: 'branch_summary',
      id: summaryId,
      parentId: question,
      fromId: from,
      details: { readFiles: ['a.ts'], modifiedFiles: ['b.ts'] },
      fromHook: false,
    });
    expect(entry).toHaveProperty(
      'summary',
      'The user explored a different conversation branch before returning here.\n' +
        'Summary of that exploration:\n\nIt was tried.\n\n' +
        '<read-files>\na.ts\n</read-files>\n\n<modified-files>\nb.ts\n</modified-files>',
    );
    const [request] = summarizer.summarize.mock.calls[0] ?? [];
    expect(request).toMatchObject({ kind: 'branch' });
    expect(request?.messages).toHaveLength(3);
  });

  it('carries the files of earlier summaries over, but not those of extensions', async () => {
    const summarizer = createSummarizer();
    await leaveBranch(session, question, { summarizer, signal });
    session.branchWithSummary(session.getLeafId(), 'Mine.', { readFiles: ['hook.ts'] }, true);
    await leaveBranch(session, null, { summarizer, signal });
    expect(session.getLeafEntry()).toMatchObject({
      parentId: null,
      details: { readFiles: ['a.ts'], modifiedFiles: ['b.ts'] },
    });
  });

  it('only moves the leaf when nothing was said', async () => {
    const summarizer = createSummarizer();
    session.branch(question);
    session.appendModelChange('acme', 'oak-1');
    const left = await leaveBranch(session, question, { summarizer, signal });
    expect(left).toEqual({ cancelled: false });
    expect(session.getLeafId()).toBe(question);
    expect(summarizer.summarize).not.toHaveBeenCalled();
  });

  it.each<[string, BranchAnswer, object]>([
    ['cancel', { cancel: true }, { type: 'message' }],
    [
      'supply the text',
      { summary: { summary: 'By hand.', details: { mine: true } } },
      { type: 'branch_summary', summary: 'By hand.', details: { mine: true }, fromHook: true },
    ],
  ])('lets a hook %s', async (_, verdict, leaf) => {
    const summarizer = createSummarizer();
    const beforeBranchSummary = vi.fn<() => BranchAnswer>().mockReturnValue(verdict);
    const options = { summarizer, beforeBranchSummary, instructions: 'short', signal };
    const { cancelled } = await leaveBranch(session, question, options);
    expect(cancelled).toBe(verdict.cancel === true);
    expect(session.getLeafEntry()).toMatchObject(leaf);
    expect(summarizer.summarize).not.toHaveBeenCalled();
  });

  it('gives a hook what pi gives it, also where no summary is asked for', async () => {
    const events: BeforeBranchSummary[] = [];
    const beforeBranchSummary = (event: BeforeBranchSummary) => {
      events.push(event);
      return { summary: { summary: 'Not asked for.' }, customInstructions: 'other' };
    };
    const oldLeafId = session.getLeafId();
    const entries = session.getBranch().slice(1);
    await leaveBranch(session, question, { beforeBranchSummary, summarize: false, signal });
    expect(session.getLeafId()).toBe(question);
    expect(events).toEqual([
      {
        path: undefined,
        preparation: {
          targetId: question,
          oldLeafId,
          commonAncestorId: question,
          entriesToSummarize: entries,
          userWantsSummary: false,
          customInstructions: undefined,
        },
        signal,
      },
    ]);
  });

  it('lets a hook change the instructions', async () => {
    const summarizer = createSummarizer();
    const beforeBranchSummary = () => ({ customInstructions: 'other' });
    await leaveBranch(session, question, { summarizer, beforeBranchSummary, instructions: 'one' });
    expect(summarizer.summarize.mock.calls[0]?.[0]).toMatchObject({ instructions: 'other' });
  });

  it('makes an offline summary unless told otherwise', async () => {
    await leaveBranch(session, question);
    expect(session.getLeafEntry()).toMatchObject({ type: 'branch_summary', fromHook: false });
  });

  it.each([
    ['cancel', { cancel: 1 }, 'beforeBranchSummary.cancel: expected true or false; got 1'],
    ['no text', { summary: { text: 'x' } }, 'beforeBranchSummary.summary.text: unknown field'],
    ['a list', [], 'beforeBranchSummary: expected an object'],
  ])('refuses a wrong answer of a hook: %s', async (_, answer, message) => {
    const entries = session.getEntries();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a program without types
    const beforeBranchSummary = () => answer as BranchAnswer;
    const left = leaveBranch(session, question, { beforeBranchSummary, signal });
    await expect(left).rejects.toThrow(HookError);
    await expect(left).rejects.toThrow(message);
    expect(session.getEntries()).toEqual(entries);
  });

  it('leaves the session as it was without a good summary', async () => {
    const entries = session.getEntries();
    const empty = leaveBranch(session, question, { summarizer: createSummarizer(' '), signal });
    await expect(empty).rejects.toThrow(SummaryError);
    const unknown = leaveBranch(session, 'nope', { summarizer: createSummarizer(), signal });
    await expect(unknown).rejects.toThrow('Entry nope not found');
    expect(session.getEntries()).toEqual(entries);
  });

  it('leaves the session alone when it went on meanwhile', async () => {
    const summarizer = createSummarizer();
    const beforeBranchSummary = (): void => void session.appendMessage(QUESTION);
    const left = leaveBranch(session, question, { summarizer, beforeBranchSummary, signal });
    await expect(left).rejects.toThrow('changed while');
    expect(session.getLeafEntry()).toMatchObject({ type: 'message' });
  });
});
