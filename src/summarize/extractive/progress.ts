import {
  getActions,
  getErrorLine,
  hasFailed,
  hasFoundNothing,
  toAttempt,
  toPlainCommand,
  getCommand,
} from './actions.ts';
import { isSubstantial, recency } from './requests.ts';
import type { Item } from './sections.ts';
import { shorten } from '../../session/model/text/cut-text.ts';
import { getLines, getSentences, quote } from './text.ts';
import type { Action, Turn } from './turns.ts';

const OPEN_TASK = /^[ \t]*[-*][ \t]+\[ \][ \t]+(\S.{2,})$/gm;
const COMMIT =
  /\bgit commit\b[^\n]{0,200}?(?:-m|--message)[= ]\s*(?:"(?:\$\(cat <<\S+\s+)?([^"\n]{3,})|'([^'\n]{3,}))/;
/** `Done.`, `Fixed!`: true, and says nothing. */
const EMPTY_WORDS =
  /^(?:done|fixed|ok|okay|great|excellent|good|perfect|yes|all (?:done|clean))\W*$/i;
const MAX_BLOCKED = 6;

/** Finds the requests that were answered, with the gist of the answer. */
export function findDone(turns: readonly Turn[]): readonly Item[] {
  return turns.flatMap(({ request, answer, actions }, turn) => {
    if (answer === undefined) return [];
    const gist = getGist(answer);
    const isSmall = actions.length === 0 || EMPTY_WORDS.test(gist);
    if (isSmall && !isSubstantial(request)) return [];
    const asked = request.trim() === '' ? 'The turn that was under way' : shorten(request, 160);
    return {
      section: 'done' as const,
      text: `${asked} → ${gist}`,
      weight: 35 + recency(turn, turns.length) * 30 + (actions.length > 0 ? 5 : 0),
    };
  });
}

/** Finds the commits, by their messages. */
export function findCommits(turns: readonly Turn[]): readonly Item[] {
  const actions = getActions(turns);
  return actions.flatMap((action, index) => {
    const [, double, single] = COMMIT.exec(getCommand(action) ?? '') ?? [];
    const message = double ?? single;
    if (message === undefined || hasFailed(action) || action.result === undefined) return [];
    return {
      section: 'done' as const,
      text: `Committed: ${shorten(message, 160)}`,
      weight: 40 + recency(index, actions.length) * 20,
    };
  });
}

/** The turn that is not over, and tasks that the assistant still had on its list. */
export function findInProgress(turns: readonly Turn[]): readonly Item[] {
  const items: Item[] = [];
  const last = turns.at(-1);
  if (last && last.answer === undefined) {
    const asked =
      last.request.trim() === '' ? 'The turn that was under way' : shorten(last.request, 400);
    const stopped = last.failure === undefined ? '' : ` (broke off: ${shorten(last.failure, 120)})`;
    items.push({ section: 'inProgress', text: `${asked}${stopped}`, weight: 92 });
  }
  const plan = turns
    .flatMap(({ said }) => said)
    .findLast((text) => /^[ \t]*[-*][ \t]+\[ \]\s/m.test(text));
  for (const [, task = ''] of (plan ?? '').slice(-8000).matchAll(OPEN_TASK)) {
    items.push({ section: 'inProgress', text: shorten(task, 200), weight: 60 });
  }
  return items.slice(0, 12);
}

/** Finds the failures without a later success. */
export function findBlocked(turns: readonly Turn[]): readonly Item[] {
  const latest = new Map<string, Action>();
  for (const action of getActions(turns)) {
    if (action.result) latest.set(toAttempt(action), action);
  }
  const failed = [...latest.values()].filter((one) => hasFailed(one) && !hasFoundNothing(one));
  return failed.slice(-MAX_BLOCKED).map((action, index) => ({
    section: 'blocked',
    text: `${describe(action)} failed: ${getErrorLine(action.result?.text ?? '')}`,
    weight: 50 + recency(index, failed.length) * 10,
  }));
}

/** Calls that never came back. */
export function findOpenCalls(turns: readonly Turn[]): readonly Item[] {
  const open = turns.at(-1)?.actions.filter(({ result }) => result === undefined) ?? [];
  return open.slice(-4).map((action) => ({
    section: 'inProgress',
    text: `${describe(action)} was called and has not come back`,
    weight: 70,
  }));
}

/** The first sentences that say something, or else the first. */
function getGist(answer: string): string {
  const sentences = getSentences(answer);
  const informative = sentences.filter(
    (one) => !EMPTY_WORDS.test(one) && !/[?:]\W{0,20}$/.test(one),
  );
  const gist = join(informative.slice(0, 2)) || sentences[0] || getLines(answer)[0] || 'answered';
  return shorten(gist, 260);
}

/** Items of a list have no full stop. */
function join(sentences: readonly string[]): string {
  const closed = sentences.map((one, at) => {
    return at === sentences.length - 1 || /[.!?;,]$/.test(one) ? one : `${one};`;
  });
  return closed.join(' ');
}

function describe(action: Action): string {
  const command = getCommand(action);
  return command === undefined
    ? quote(shorten(toAttempt(action), 160))
    : quote(toPlainCommand(command));
}
