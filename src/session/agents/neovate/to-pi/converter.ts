import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { LineProblem, Converted } from '../../../dialect/migration.ts';
import type { Session } from '../../../model/session.ts';
import { countReached, type Tree, treeOf } from '../../../model/tree/tree.ts';
import { isMessage, toSessionId } from '../format.ts';
import { SessionIndexer } from '../index/index-session.ts';
import { Opens } from '../index/opens.ts';
import { LineFacts } from './line-facts.ts';
import { Losses } from './losses.ts';
import { placeEntries } from './place-entries.ts';
import { toPieces } from './to-pieces.ts';
import type { LineFold, SourceFile } from '../../../dialect/fold.ts';
import { findStart, PI_SESSION_ID } from '../../../dialect/pi-lines.ts';

/** Makes a session of pi v3 of one of Neovate: every message of every branch, in file order. */
export class PiConverter implements LineFold<Converted> {
  readonly #index = new SessionIndexer();
  readonly #opens = new Opens();
  readonly #losses = new Losses();
  readonly #facts = new LineFacts();

  visit(line: Line, content: LineContent): void {
    this.#index.visit(line, content);
    this.#opens.visit(line, content);
    if (content.kind !== 'object') return;
    this.#losses.visit(content.value, line.number);
    if (isMessage(content.value)) this.#facts.visit(content.value, line.offset);
  }

  finish(file: SourceFile): Converted {
    const session = this.#index.finish(file);
    const tree = treeOf(session);
    const messages = session.entries.filter(({ aside }) => !aside);
    const timestamp = findStart(messages, file.stamp);
    const facts = this.#facts;
    return {
      session,
      id: toPiId(toSessionId(file.path)),
      timestamp,
      cwdHint: facts.cwdHint,
      refusal: this.#opens.problem?.message ?? findRefusal(session, tree),
      problems: [...this.#losses.list(), ...findCuts(session, tree)].toSorted(
        (a, b) => a.line - b.line,
      ),
      messageCount: messages.length,
      toPieces: (identity) => {
        const ids = messages.flatMap(({ id }) => id ?? []);
        const places = placeEntries(messages, tree, facts, timestamp);
        return toPieces(session, places, identity, ids);
      },
    };
  }
}

function toPiId(id: string): string {
  if (PI_SESSION_ID.test(id)) return id;
  const plain = id
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|(?<![^A-Za-z0-9])[^A-Za-z0-9]+$/g, '');
  return plain === '' ? 'neovate' : plain;
}

function findRefusal({ entries }: Session, tree: Tree): string | undefined {
  const messages = entries.filter(({ aside }) => !aside);
  if (messages.length === 0) return 'has no messages';
  const nameless = messages.find(({ id }) => id === undefined);
  if (nameless) return `the message on line ${nameless.line} has no uuid`;
  const isReached = countReached(tree) === messages.length;
  const isWhole = isReached && tree.roots.every((root) => !tree.parentOf(root));
  return isWhole ? undefined : 'messages share a uuid, or form a cycle; run coppice validate';
}

/** Finds messages whose history is not the right one, before or after the conversion. */
function findCuts({ entries }: Session, tree: Tree): readonly LineProblem[] {
  const messages = entries.filter(({ aside }) => !aside);
  return messages.flatMap((entry, index) => {
    const { line, parentId, type } = entry;
    if (parentId !== null && !tree.get(parentId)) {
      const message = 'its parent is not in the file: it becomes a root';
      return { line, code: 'entry-orphan', message };
    }
    if (parentId !== null || index === 0 || type === 'compaction') return [];
    return {
      line,
      code: 'root-stray',
      message: 'is a root in the middle of the session, and remains one',
    };
  });
}
