import type { Place, Rule } from '../../../dialect/rule.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { formatCounted } from '../../../model/text/numbers.ts';
import { NO_MODEL } from '../entry/entry-usage.ts';
import { type ClaudeCodeEntry, isBoundary } from '../entry/to-entry.ts';
import { getBlocks, getMessage, isRetired } from '../format.ts';
import { type CheckedClaudeCodeSession, checkNodes, checkTree, NODE } from './node-lines.ts';

/** Releases that send another part of the same conversation. */
export const contextDiffers: Rule = {
  id: 'context-differs',
  level: 'info',
  fixable: false,
  summary: 'a session of which older releases of Claude Code send other messages to the model',
  help:
    'Releases before 2.1.90 send nothing that a compaction keeps beside its summary. Of several ' +
    'calls made side by side, releases up to 2.1.42 send only those that follow one another, and ' +
    'they send no commands on lines of their own. Releases before 2.1.225 send the thinking of ' +
    'models that are no longer offered. coppice shows what 2.1.332 sends. Nothing to repair.',
  reads: { ...NODE, message: { model: 'whole', content: { type: 'whole' } } },
  check(report) {
    let retired: { readonly offset: number; readonly place: Place } | undefined;
    return {
      line: checkNodes((value, { number: line, offset }) => {
        if (!retired && hasRetiredThinking(value)) retired = { offset, place: { line, offset } };
      }),
      session: checkTree((checked) => {
        if (checked.session.problem) return;
        for (const [entry, message] of listDifferences(checked)) report(entry, message);
        if (retired && checked.path.some(({ offset }) => offset === retired?.offset)) {
          report(retired.place, 'only releases before 2.1.225 send the thinking of this model');
        }
      }),
    };
  },
};

/** 2.1.225 and later continue with another model, and leave out what this one signed. */
function hasRetiredThinking(value: JsonObject): boolean {
  const thinks = getBlocks(value).some(({ type }) => type === 'thinking');
  return thinks && isRetired(getString(getMessage(value) ?? {}, 'model') ?? '');
}

function* listDifferences({
  path,
  tree,
}: CheckedClaudeCodeSession): Generator<readonly [Place, string]> {
  const entries: readonly ClaudeCodeEntry[] = path;
  const boundary = entries.find((entry) => isBoundary(entry) && entry.preserved);
  const kept = boundary ? entries.filter((entry) => isSaidBefore(entry, boundary)) : [];
  if (boundary && kept.length > 0) {
    // 2.1.133 reads the ends of what is kept, and no list of it.
    const since = boundary.preserved?.tailId === undefined ? 'up to 2.1.133' : 'before 2.1.90';
    const what = formatCounted(kept.length, 'message');
    yield [boundary, `releases ${since} do not send the ${what} that this compaction keeps`];
  }
  const chain = new Set<unknown>();
  const leaf = path.at(-1);
  for (let at = leaf; at && !chain.has(at); at = tree.parentOf(at)) chain.add(at);
  const beside = entries.filter((entry) => entry.role === 'toolResult' && !chain.has(entry));
  if (beside[0]) {
    const what = formatCounted(beside.length, 'call');
    yield [beside[0], `releases up to 2.1.42 do not send ${what} made beside others`];
  }
  const commands = entries.filter(({ customType }) => customType === 'local_command');
  if (commands[0]) {
    const what = formatCounted(commands.length, 'line');
    yield [commands[0], `releases up to 2.1.42 do not send ${what} of commands`];
  }
}

/**
 * Returns whether the model is sent a message of the time before a boundary; a failed request says nothing to
 * it.
 */
function isSaidBefore(entry: ClaudeCodeEntry, { offset }: ClaudeCodeEntry): boolean {
  const isSaid = entry.type === 'message' && entry.isMeta !== true;
  return isSaid && entry.model?.modelId !== NO_MODEL && entry.offset < offset;
}
