import fc from 'fast-check';
import type { Json, Operation, Release } from '../reference.ts';
import { type MessageKind, MESSAGE_KINDS, toBlocks, toMessage } from './messages.ts';

/** One step, before it is known what can be done: numbers choose among what there is. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly pick: number;
  readonly text: string;
}

const KINDS = [
  ...MESSAGE_KINDS,
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

const MORE = ['compaction', 'compaction', 'label', 'branch', 'branch', 'system', 'system'] as const;

interface Node {
  /** Which operation made it; undefined for what has no name in a script. */
  readonly ref: number | undefined;
  readonly parent: Node | undefined;
  readonly isEditable: boolean;
  readonly isLabel: boolean;
  readonly target?: Node | undefined;
}

/** A release that writes trees: what it cannot do, or does otherwise than the last one. */
interface Habits {
  readonly lacks: readonly Step['kind'][];
  /** How it calls messages of extensions. */
  readonly role: string;
  /** Takes labels out of a branch without closing the gap: what was before it is lost. */
  readonly leavesGaps: boolean;
  /** Goes on in the old file after it has made a new one. */
  readonly staysInFile: boolean;
}

type TreeRelease = Exclude<Release, '0.30.2'>;

const EARLY = {
  lacks: ['system', 'usage', 'name', 'edit'],
  leavesGaps: true,
  staysInFile: true,
} as const;
const HABITS: Readonly<Record<TreeRelease, Habits>> = {
  '0.32.3': { ...EARLY, role: 'hookMessage' },
  '0.40.1': { ...EARLY, role: 'custom' },
  '0.73.1': {
    lacks: ['system', 'usage', 'edit'],
    leavesGaps: true,
    staysInFile: false,
    role: 'custom',
  },
  '0.87.1': { lacks: [], leavesGaps: false, staysInFile: false, role: 'custom' },
  '1.6.0': { lacks: [], leavesGaps: false, staysInFile: false, role: 'custom' },
};

/** Scripts of calls that a release accepts, each ending with every question about the session. */
export function treeScripts(release: TreeRelease): fc.Arbitrary<readonly Operation[]> {
  const habits = HABITS[release];
  // Without branches and compactions there is little to hide.
  const kinds = [...KINDS, ...MORE].filter((kind) => !habits.lacks.includes(kind));
  const step = fc.record<Step>({
    kind: fc.constantFrom(...kinds),
    pick: fc.nat(),
    text: fc.string({ unit: 'grapheme', maxLength: 12 }),
  });
  return fc
    .array(step, { minLength: 1, maxLength: 24 })
    .map((steps) => new ScriptBuilder(habits).build(steps));
}

const QUESTIONS = [
  'getEntries',
  'getTree',
  'getBranch',
  'getLeafId',
  'getLeafEntry',
  'buildSessionContext',
] as const;

/** Knows just enough of the session to make only calls that pi accepts. */
class ScriptBuilder {
  readonly #habits: Habits;
  readonly #ops: Operation[] = [];
  #nodes: Node[] = [];
  #labels = new Set<Node>();
  #leaf: Node | undefined;

  constructor(habits: Habits) {
    this.#habits = habits;
  }

  build(steps: readonly Step[]): readonly Operation[] {
    for (const step of steps) this.#take(step);
    const questions = this.#habits.lacks.includes('name')
      ? QUESTIONS
      : [...QUESTIONS, 'getSessionName'];
    return [...this.#ops, ...questions.map((question): Operation => [question])];
  }

  #take({ kind, pick, text }: Step): void {
    const some = this.#nodes.filter(({ ref }) => ref !== undefined);
    const target = some[pick % Math.max(1, some.length)];
    if (isMessageKind(kind)) {
      const { role } = this.#habits;
      const message = toMessage(kind, { text, pick, role });
      return this.#add(['appendMessage', message], isEditable(kind));
    }
    switch (kind) {
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
        return this.#add(
          ['appendCustomMessageEntry', 'note', toContent(text, pick), pick % 2 === 0],
          true,
        );
      case 'name':
        return this.#add(['appendSessionInfo', text]);
      default:
        return this.#turn(kind, pick, text, target);
    }
  }

  /** What goes back to something that is there already. */
  #turn(
    kind: Exclude<Step['kind'], MessageKind>,
    pick: number,
    text: string,
    target: Node | undefined,
  ): void {
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
    } else if (kind === 'createBranchedSession') this.#branchOff(target, pick % 2 === 0);
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
    const replacement = pick % 3 === 0 ? null : { content: toContent(text, pick) };
    this.#add(['appendContextEdit', toRef(target), replacement]);
  }

  /** Labels are made anew, under ids that nobody has seen. */
  #branchOff(target: Node, isResumed: boolean): void {
    const path = this.#path(target).filter(({ isLabel }) => !isLabel);
    if (path.length === 0) return;
    const file = this.#ops.push(['createBranchedSession', toRef(target)]) - 1;
    if (this.#habits.staysInFile && isResumed) this.#ops.push(['setSessionFile', { $ref: file }]);
    this.#nodes = [];
    this.#leaf = undefined;
    const copies = new Map<Node, Node>();
    for (const node of path) {
      const hasGap = this.#habits.leavesGaps && node.parent?.isLabel;
      const copy: Node = { ...node, parent: hasGap ? undefined : this.#leaf };
      copies.set(node, copy);
      this.#nodes.push(copy);
      this.#leaf = copy;
    }
    this.#labelAnew(copies);
  }

  #labelAnew(copies: ReadonlyMap<Node, Node>): void {
    const labeled = [...this.#labels].flatMap((node) => copies.get(node) ?? []);
    this.#labels = new Set(labeled);
    for (const node of labeled) {
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

function isMessageKind(kind: Step['kind']): kind is MessageKind {
  return MESSAGE_KINDS.some((one) => one === kind);
}

function isEditable(kind: MessageKind): boolean {
  return kind === 'user' || kind === 'assistant' || kind === 'toolResult';
}

function toContent(text: string, pick: number): Json {
  return pick % 2 === 0 ? text : toBlocks(text, pick);
}
