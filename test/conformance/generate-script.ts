import fc from 'fast-check';
import type { Json, Operation } from './reference.ts';

/** One step, before it is known what can be done: numbers choose among what there is. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly pick: number;
  readonly text: string;
}

const KINDS = [
  'user',
  'assistant',
  'toolResult',
  'system',
  'bash',
  'model',
  'thinking',
  'usage',
  'compaction',
  'custom',
  'customMessage',
  'name',
  'label',
  'clearLabel',
  'edit',
  'branch',
  'reset',
  'branchWithSummary',
  'createBranchedSession',
] as const;

interface Node {
  /** Which operation made it; undefined for what has no name in a script. */
  readonly ref: number | undefined;
  readonly parent: Node | undefined;
  readonly isEditable: boolean;
  readonly isLabel: boolean;
  readonly target?: Node | undefined;
}

/** Scripts of calls that pi accepts, each ending with every question about the session. */
export const scripts: fc.Arbitrary<readonly Operation[]> = fc
  .array(
    fc.record<Step>({
      kind: fc.constantFrom(...KINDS),
      pick: fc.nat(),
      text: fc.string({ unit: 'grapheme', maxLength: 12 }),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((steps) => new ScriptBuilder().build(steps));

const QUESTIONS = [
  'getEntries',
  'getTree',
  'getBranch',
  'getLeafId',
  'getLeafEntry',
  'getSessionName',
  'buildSessionContext',
] as const;

/** Knows just enough of the session to make only calls that pi accepts. */
class ScriptBuilder {
  readonly #ops: Operation[] = [];
  #nodes: Node[] = [];
  #labels = new Set<Node>();
  #leaf: Node | undefined;

  build(steps: readonly Step[]): readonly Operation[] {
    for (const step of steps) this.#take(step);
    return [...this.#ops, ...QUESTIONS.map((question): Operation => [question])];
  }

  #take({ kind, pick, text }: Step): void {
    const some = this.#nodes.filter(({ ref }) => ref !== undefined);
    const target = some[pick % Math.max(1, some.length)];
    switch (kind) {
      case 'user':
      case 'assistant':
      case 'toolResult':
      case 'system':
      case 'bash':
        return this.#add(['appendMessage', toMessage(kind, text, pick)], isEditable(kind));
      case 'model':
        return this.#add(['appendModelChange', 'acme', text]);
      case 'thinking':
        return this.#add(['appendThinkingLevelChange', text]);
      case 'usage':
        return this.#add(['appendUsage', 'title', 'acme', 'oak-1', { input: pick }, text]);
      case 'compaction':
        return this.#add(['appendCompaction', text, toRef(pick % 2 ? target : undefined), pick]);
      case 'custom':
        return this.#add(['appendCustomEntry', 'state', { text, 2: 'two', 1: 'one' }]);
      case 'customMessage':
        return this.#add(['appendCustomMessageEntry', 'note', text, pick % 2 === 0], true);
      case 'name':
        return this.#add(['appendSessionInfo', text]);
      default:
        return this.#turn(kind, pick, text, target);
    }
  }

  /** What goes back to something that is there already. */
  #turn(kind: Step['kind'], pick: number, text: string, target: Node | undefined): void {
    if (kind === 'reset') {
      this.#ops.push(['resetLeaf']);
      this.#leaf = undefined;
    } else if (kind === 'branchWithSummary') {
      const to = pick % 3 === 0 ? undefined : target;
      this.#leaf = to;
      this.#add(['branchWithSummary', toRef(to), text]);
    } else if (!target) return;
    else if (kind === 'label') this.#mark(target, `x${text}`);
    else if (kind === 'clearLabel') this.#mark(target, '');
    else if (kind === 'edit') this.#edit(pick, text);
    else if (kind === 'branch') {
      this.#ops.push(['branch', toRef(target)]);
      this.#leaf = target;
    } else if (kind === 'createBranchedSession') this.#branchOff(target);
  }

  #add(operation: Operation, editable = false, target?: Node): void {
    const isLabel = operation[0] === 'appendLabelChange';
    const ref = this.#ops.push(operation) - 1;
    const node = { ref, parent: this.#leaf, isEditable: editable, isLabel, target };
    this.#nodes.push(node);
    this.#leaf = node;
  }

  #mark(target: Node, label: string): void {
    this.#add(['appendLabelChange', toRef(target), label], false, target);
    if (label === '') this.#labels.delete(target);
    else this.#labels.add(target);
  }

  #edit(pick: number, text: string): void {
    const editable = this.#path(this.#leaf).filter((node) => node.isEditable);
    const target = editable[pick % Math.max(1, editable.length)];
    if (!target) return;
    const replacement = pick % 3 === 0 ? null : { content: text };
    this.#add(['appendContextEdit', toRef(target), replacement]);
  }

  /** Labels are made anew, under ids that nobody has seen. */
  #branchOff(target: Node): void {
    const path = this.#path(target).filter(({ isLabel }) => !isLabel);
    if (path.length === 0) return;
    this.#ops.push(['createBranchedSession', toRef(target)]);
    this.#nodes = [];
    this.#leaf = undefined;
    const copies = new Map<Node, Node>();
    for (const node of path) {
      const copy: Node = { ...node, parent: this.#leaf };
      copies.set(node, copy);
      this.#nodes.push(copy);
      this.#leaf = copy;
    }
    const labelled = [...this.#labels].flatMap((node) => copies.get(node) ?? []);
    this.#labels = new Set(labelled);
    for (const { ref: _, ...node } of labelled) {
      this.#leaf = {
        ...node,
        ref: undefined,
        parent: this.#leaf,
        isEditable: false,
        isLabel: true,
      };
      this.#nodes.push(this.#leaf);
    }
  }

  #path(from: Node | undefined): readonly Node[] {
    const path: Node[] = [];
    for (let at = from; at; at = at.parent) path.push(at);
    return path.toReversed();
  }
}

function toRef(node: Node | undefined): Json {
  return node?.ref === undefined ? null : { $ref: node.ref };
}

function isEditable(role: string): boolean {
  return role === 'user' || role === 'assistant' || role === 'toolResult';
}

function toMessage(kind: Step['kind'], text: string, timestamp: number): Json {
  const blocks = [{ type: 'text', text }];
  if (kind === 'user') return { role: 'user', content: text, timestamp };
  if (kind === 'toolResult') {
    const call = { toolCallId: 'c1', toolName: 'bash', isError: false };
    return { role: 'toolResult', ...call, content: blocks, timestamp };
  }
  if (kind === 'system') {
    return { role: 'system', content: text, sections: { rules: text }, timestamp };
  }
  if (kind === 'bash') {
    const result = { output: text, exitCode: 0, cancelled: false, truncated: false };
    return { role: 'bashExecution', command: 'ls', ...result, timestamp };
  }
  const model = { api: 'x', provider: 'acme', model: 'oak-1', stopReason: 'stop' };
  return { role: 'assistant', content: blocks, ...model, usage: { input: 1 }, timestamp };
}
