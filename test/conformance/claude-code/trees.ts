import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { Random } from './random.ts';

/** The same for every session, so that what differs is the tree. */
const ENVELOPE = {
  userType: 'external',
  entrypoint: 'cli',
  cwd: '/home/u/demo-project',
  sessionId: '7ee5ee5e-0000-4000-8000-000000000001',
  version: '2.1.332',
  gitBranch: 'main',
};
const BEGIN = Date.UTC(2026, 10, 20, 10);
const NIL = '00000000-0000-0000-0000-000000000000';
const UNKNOWN = 'ffffffff-0000-4000-8000-ffffffffffff';
const MODEL = 'claude-opus-5-5';
const USAGE = { input_tokens: 100, output_tokens: 42 };
/** Bridges reach five seconds. */
const GAPS = [1, 300, 1200, 1200, 1200, 4900, 5000, 5001, 700_000];

/** Grows a session of Claude Code at random: what its releases write, in any order, and then some. */
class Grower {
  readonly lines: JsonObject[] = [];
  readonly #random: Random;
  readonly #nodes: string[] = [];
  /** Since the last boundary, without those of sub-agents. */
  #main: string[] = [];
  #at: string | null = null;
  #time = BEGIN;
  #messages = 0;
  #calls = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  grow(steps: number): void {
    this.#prompt();
    for (let step = 0; step < steps; step += 1) this.#random.pickWeighted(this.#steps)();
    if (this.#random.is(0.3)) this.#lastPrompt();
  }

  readonly #steps: readonly (readonly [weight: number, step: () => void])[] = [
    [16, () => this.#turn()],
    [4, () => this.#prompt()],
    [4, () => this.#answer()],
    [4, () => this.#attachment()],
    [2, () => this.#system()],
    [2, () => this.#unsupported()],
    [3, () => this.#goElsewhere()],
    [4, () => this.#lastPrompt()],
    [2, () => this.#metadata()],
    [2, () => this.#compact()],
    [1, () => this.#sidechain()],
    [1, () => this.#repeat()],
    [1, () => this.#orphan()],
    [1, () => this.#strayResult()],
  ];

  #node(type: string, more: JsonObject, parentUuid = this.#at): string {
    this.#time += this.#random.pick(GAPS);
    const uuid = toUuid(this.#nodes.length + 1);
    this.#nodes.push(uuid);
    this.#main.push(uuid);
    const timestamp = new Date(this.#time).toISOString();
    this.lines.push({
      parentUuid,
      isSidechain: false,
      type,
      ...more,
      uuid,
      timestamp,
      ...ENVELOPE,
    });
    this.#at = uuid;
    return uuid;
  }

  #turn(): void {
    this.#prompt();
    this.#answer();
  }

  #prompt(): void {
    const text = `prompt ${this.#nodes.length + 1}`;
    const blocks = [{ type: 'text', text }];
    const odd = this.#random.pick(['', '  ', `${text}\n\nmore`, `${text} \n`]);
    const content = this.#random.pick([text, text, text, blocks, [...blocks, ...blocks], odd]);
    this.#node('user', { message: { role: 'user', content } });
  }

  /** A line for each block, calls side by side, and what they returned, each on its own call. */
  #answer(): void {
    const random = this.#random;
    const id = `msg_${(this.#messages += 1)}`;
    const model = random.is(0.9) ? MODEL : 'claude-sonnet-4-5';
    const say = (block: JsonObject): string => this.#assistant(id, model, [block]);
    const name = `${this.#nodes.length + 1}`;
    if (random.is(0.3)) say(this.#thinking(name));
    if (random.is(0.8)) say({ type: 'text', text: random.is(0.9) ? `answer ${name}` : '\n ' });
    const calls = random.pick([0, 0, 1, 2, 3]);
    const made: (readonly [call: string, id: string])[] = [];
    for (let count = 0; count < calls; count += 1) {
      const call = `toolu_${(this.#calls += 1)}`;
      const input = { command: `echo ${call}` };
      made.push([say({ type: 'tool_use', id: call, name: 'Bash', input }), call]);
    }
    const inChain = random.is(0.3);
    for (const [parent, call] of random.shuffle(made)) {
      if (random.is(0.08)) continue;
      this.#result(call, inChain ? this.#at : parent);
    }
  }

  #assistant(id: string, model: string, content: readonly JsonObject[] | string): string {
    const message = { id, type: 'message', role: 'assistant', model, content, usage: USAGE };
    const ending = { stop_reason: 'end_turn', stop_sequence: null };
    return this.#node('assistant', { message: { ...message, ...ending }, requestId: `req_${id}` });
  }

  #thinking(name: string): JsonObject {
    const thinking = { type: 'thinking', thinking: `thought ${name}` };
    return this.#random.is(0.8) ? { ...thinking, signature: 'c2lnbmF0dXJl' } : thinking;
  }

  #result(call: string, parent: string | null): void {
    const text = `output of ${call}`;
    const content = this.#random.pick([text, text, [{ type: 'text', text }], '']);
    const isError = this.#random.is(0.2) ? { is_error: true } : {};
    const result = { type: 'tool_result', tool_use_id: call, content, ...isError };
    const message = { role: 'user', content: [result] };
    this.#node('user', { message, toolUseResult: { stdout: text } }, parent);
  }

  #strayResult(): void {
    const call = `toolu_${this.#random.below(this.#calls + 2)}`;
    this.#result(call, this.#at);
  }

  #attachment(): void {
    const name = `${this.#nodes.length + 1}`;
    const attachment = this.#random.pick<JsonObject>([
      { type: 'hook_success', hookName: 'Stop', toolUseID: name, hookEvent: 'Stop', content: '' },
      { type: 'not_known_yet', text: name },
      toQueued(name),
      { ...toQueued(name), origin: { kind: 'human' }, humanTurn: true },
    ]);
    this.#node('attachment', { attachment });
  }

  #system(): void {
    const subtype = this.#random.pick(['turn_duration', 'informational', 'local_command']);
    this.#node('system', { subtype, content: 'a note', durationMs: 5, level: 'info' });
  }

  /** What is in the tree and says nothing, or says it in a way of its own. */
  #unsupported(): void {
    const name = `${this.#nodes.length + 1}`;
    this.#random.pick<() => void>([
      () => this.#node('progress', { data: { type: 'hook_progress' }, toolUseID: 'x' }),
      () => this.#node('of-tomorrow', { text: name }),
      () => this.#assistant(`msg_${(this.#messages += 1)}`, MODEL, []),
      () => this.#assistant(`msg_${(this.#messages += 1)}`, MODEL, `plain ${name}`),
      () => this.#node('user', { message: null }),
      () =>
        this.#node('user', { message: { role: 'user', content: `meta ${name}` }, isMeta: true }),
      () => this.#apiError(name),
      () => this.#command(name),
    ])();
  }

  #apiError(name: string): void {
    const message = {
      id: toUuid(90_000 + this.#nodes.length),
      type: 'message',
      role: 'assistant',
      model: '<synthetic>',
      content: [{ type: 'text', text: `API Error: 500 ${name}` }],
      usage: USAGE,
    };
    this.#node('assistant', { message, isApiErrorMessage: true, error: 'unknown' });
  }

  #command(name: string): void {
    const content = `<command-name>/context</command-name>\n<command-message>${name}</command-message>`;
    this.#node('user', { message: { role: 'user', content } });
    const printed = `<local-command-stdout>${name}</local-command-stdout>`;
    this.#node('user', { message: { role: 'user', content: printed } });
  }

  #goElsewhere(): void {
    this.#at = this.#random.is(0.1) ? null : this.#random.pick(this.#nodes);
  }

  #lastPrompt(): void {
    const some = this.#random.pick(this.#nodes);
    const leafUuid = this.#random.pick([
      this.#at,
      this.#at,
      some,
      some,
      NIL,
      UNKNOWN,
      null,
      undefined,
      null,
      '',
    ]);
    const isChosen = this.#random.is(0.3);
    const explicit = isChosen ? { explicit: true } : {};
    const { sessionId } = ENVELOPE;
    this.lines.push({ type: 'last-prompt', lastPrompt: 'x', leafUuid, ...explicit, sessionId });
  }

  #metadata(): void {
    const { sessionId } = ENVELOPE;
    const messageId = this.#random.pick(this.#nodes);
    const snapshot = {
      messageId,
      trackedFileBackups: {},
      timestamp: new Date(BEGIN).toISOString(),
    };
    const line = this.#random.pick<JsonObject>([
      { type: 'mode', mode: 'normal', sessionId },
      { type: 'custom-title', customTitle: 'A title', sessionId },
      { type: 'file-history-snapshot', messageId, snapshot, isSnapshotUpdate: false },
      { type: 'summary', summary: 'An old title', leafUuid: messageId },
    ]);
    this.lines.push(line);
  }

  #compact(): void {
    const random = this.#random;
    const boundary = toUuid(this.#nodes.length + 1);
    const summary = toUuid(this.#nodes.length + 2);
    const kept = this.#main.slice(-random.below(5) - 1);
    const isBegun = random.is(0.1);
    const anchorUuid = random.is(0.8) ? summary : boundary;
    const uuids = random.is(0.1) ? [...kept, UNKNOWN] : kept;
    const list = { preservedMessages: { anchorUuid, uuids, allUuids: uuids } };
    const [headUuid, tailUuid] = [kept[0], kept.at(-1)];
    const segment = { preservedSegment: { headUuid, anchorUuid, tailUuid } };
    const preserved = isBegun
      ? {}
      : random.pick([{}, {}, list, list, segment, { ...segment, ...list }]);
    const compactMetadata = { trigger: 'manual', preTokens: 9000, ...preserved };
    const logicalParentUuid = this.#at;
    const content = 'Conversation compacted';
    this.#main = [];
    const more = { subtype: 'compact_boundary', content, logicalParentUuid, compactMetadata };
    this.#node('system', more, null);
    if (isBegun) return;
    const message = { role: 'user', content: `This session is being continued. ${summary}` };
    const marks = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
    this.#node('user', { message, ...marks });
    if (random.is(0.5)) this.#prompt();
  }

  #sidechain(): void {
    const main = this.#at;
    const begin = this.lines.length;
    const nodes = this.#main;
    this.#main = [];
    this.#at = null;
    this.#turn();
    this.#main = nodes;
    for (const line of this.lines.splice(begin)) this.lines.push({ ...line, isSidechain: true });
    this.#at = this.#random.is(0.1) ? this.#at : main;
  }

  /** A line that is already there. */
  #repeat(): void {
    this.lines.push(this.#random.pick(this.lines.filter(({ uuid }) => uuid !== undefined)));
  }

  #orphan(): void {
    this.#at = UNKNOWN;
    this.#prompt();
  }
}

function toQueued(name: string): JsonObject {
  return { type: 'queued_command', prompt: `queued ${name}`, commandMode: 'prompt' };
}

function toUuid(count: number): string {
  return `00000001-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
}

/** What a power cut, a full disk or another program does to some lines of a file. */
function damage(random: Random, lines: readonly string[]): string {
  const at = random.below(lines.length);
  const [before, line = '', after] = [lines.slice(0, at), lines[at], lines.slice(at + 1)];
  const torn = line.slice(0, 1 + random.below(line.length - 1));
  const ways: readonly (readonly string[])[] = [
    [...before, ...after],
    [...before, torn, ...after],
    [...before, torn + (after[0] ?? ''), ...after.slice(1)],
    [...before, line + (after[0] ?? ''), ...after.slice(1)],
    [...before, '\0'.repeat(50) + line, ...after],
    [...before, `${line}\r`, '', ...after],
    [...before, '"a string"', line, ...after],
  ];
  const text = random.pick(ways).join('\n');
  return random.is(0.2) ? text.slice(0, -1 - random.below(60)) : `${text}\n`;
}

/** A session of Claude Code; another one for each seed. A third of them are damaged. */
export function growSession(seed: number): string {
  const random = new Random(seed);
  const grower = new Grower(random);
  grower.grow(6 + random.below(16));
  const lines = grower.lines.map((line) => JSON.stringify(line));
  return random.is(0.35) ? damage(random, lines) : `${lines.join('\n')}\n`;
}
