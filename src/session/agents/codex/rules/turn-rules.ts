import type { Entry } from '../../../model/entry.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { INDEX_PLAN } from '../index/plans.ts';
import { toHeaderPlace, toPlace } from '../../../rules/place.ts';
import { quote } from '../../../rules/wording.ts';
import { getString } from '../../../jsonl/edit/json.ts';
import { OUTPUTS, PROMPTS } from '../entry/select-shown.ts';
import { BARE_VERSION, openLine } from '../format.ts';

const CALLS: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
]);

/** A call of a turn before the last one that has no output. */
export const rolloutCallOpen: Rule = {
  id: 'rollout-call-open',
  level: 'warning',
  fixable: false,
  summary: 'a call without an output in the context of a rollout of Codex',
  help:
    'The line with the output is missing. Codex sends `aborted` instead when it continues. In the ' +
    'last turn, that is how an interrupted session looks.',
  check: (report) => ({
    session({ contexts: [context = []] }) {
      const answered = new Set(context.filter(isOutput).map(({ callId }) => callId));
      const last = context.findLastIndex(({ role }) => role === 'user');
      for (const entry of context.slice(0, Math.max(last, 0))) {
        if (!CALLS.has(entry.type) || answered.has(entry.callId)) continue;
        report(entry, `the call ${quote(entry.callId ?? '')} has no output`);
      }
    },
  }),
};

/** An output of a call that is not there. */
export const rolloutOutputStray: Rule = {
  id: 'rollout-output-stray',
  level: 'warning',
  fixable: false,
  summary: 'an output without its call in the context of a rollout of Codex',
  help:
    'The line with the call is missing or could not be read, so Codex does not send the output to ' +
    'the model. Restore the line from a backup.',
  check: (report) => ({
    session({ contexts: [context = []] }) {
      // Calls inside a compaction are not in the index: what follows it may answer them.
      if (context.some(({ type }) => type === 'compaction')) return;
      const called = new Set(context.flatMap((one) => (CALLS.has(one.type) ? one.callId : [])));
      for (const entry of context) {
        if (!isOutput(entry) || called.has(entry.callId)) continue;
        report(entry, `no call ${quote(entry.callId ?? '')} before this output`);
      }
    },
  }),
};

function isOutput({ type }: Entry): boolean {
  return OUTPUTS.has(type);
}

/** A turn before the last one that has no end. */
export const rolloutTurnOpen: Rule = {
  id: 'rollout-turn-open',
  level: 'warning',
  fixable: false,
  summary: 'a turn of a rollout of Codex without an end, before the last one',
  help:
    'The line that ends the turn is missing or could not be read. Codex shows the turn as ' +
    'interrupted, and sends all of it to the model.',
  reads: INDEX_PLAN,
  check(report) {
    const open = new Map<string, ReturnType<typeof toPlace>>();
    return {
      line(line, content) {
        if (content.kind !== 'object') return;
        const { kind, payload } = openLine(content.value);
        const id = getString(payload, 'turn_id');
        if (id === undefined) return;
        if (kind === 'task_started') open.set(id, toPlace(line));
        else if (kind === 'task_complete' || kind === 'turn_aborted') open.delete(id);
      },
      session({ session }) {
        const last = session.entries.findLast(({ type }) => type === 'task_started')?.line;
        for (const [id, place] of open) {
          if (place.line !== last)
            report({ ...place, id }, 'the turn has no end: shown as interrupted');
        }
      },
    };
  },
};

/** A thread that no one has said anything in, as far as Codex knows. */
export const rolloutPromptMissing: Rule = {
  id: 'rollout-prompt-missing',
  level: 'warning',
  fixable: false,
  summary: 'a rollout of Codex without a prompt, which Codex does not list',
  help:
    'Codex lists a thread by its first `user_message` or `UserMessage`. Without one, the thread ' +
    'is hidden, but still opens by its id.',
  check: (report) => ({
    session({ session: { header, entries, formatVersion } }) {
      const isShown = entries.some(({ type }) => SHOWN.has(type));
      if (isShown || !header || formatVersion === BARE_VERSION) return;
      report(toHeaderPlace(header), 'has no prompt: Codex does not list it');
    },
  }),
};

const SHOWN: ReadonlySet<string> = new Set([...PROMPTS, 'thread_goal_updated']);

/** A thread that shows what was said, and sends nothing of it. */
export const rolloutItemsMissing: Rule = {
  id: 'rollout-items-missing',
  level: 'warning',
  fixable: false,
  summary: 'a rollout of Codex that shows prompts, but sends none of them to the model',
  help:
    'Codex shows events, and sends items to the model. If all items of messages are missing, the ' +
    'thread looks whole, but the model is sent an empty conversation when it continues. Restore ' +
    'the lines from a backup.',
  check: (report) => ({
    session({ session: { header, entries } }) {
      const isSent = entries.some(({ type }) => type === 'message' || type === 'compaction');
      const at = entries.find(({ type }) => PROMPTS.has(type));
      if (isSent || !at || !header) return;
      const place = { line: at.line, offset: at.offset };
      if (at.file === undefined) report(place, 'shows prompts, and the model is sent none of them');
    },
  }),
};
