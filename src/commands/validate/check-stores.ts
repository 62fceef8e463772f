import { resolve } from 'node:path';
import { FileError } from '../../errors.ts';
import type { CheckedFile } from '../../report/findings/format.ts';
import type { Rule } from '../../session/dialect/rule.ts';
import { staleNote, sidecarOrphaned } from '../../session/rules/sidecar-rules.ts';
import { quote } from '../../session/rules/wording.ts';
import { listStaleNotes } from '../../store/sessions/find-use.ts';
import { findOrphans, getOrphanPath } from '../../store/remove/orphans.ts';
import { selectsAll } from '../../store/select/selection.ts';
import { isInShard } from '../../store/select/shard.ts';
import type { Context } from '../command.ts';
import { createIgnoredTest, findRoots } from '../shared/select/files.ts';
import { createLevelFinder } from './rule-levels.ts';
import type { ValidateRequest } from './request.ts';
import type { FindingLevel } from '../../session/dialect/levels.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';

/**
 * Finds sidecars and notes of sessions and processes that no longer exist, in whole stores; nothing if
 * some sessions are selected.
 */
export async function checkStores(
  { select, levels }: ValidateRequest,
  context: Context,
): Promise<readonly CheckedFile[]> {
  const { selection, ignored, input } = select;
  if (input || !selectsAll({ ...selection, agent: undefined })) return [];
  const targets = await select.listTargets();
  const named = targets.map((target) => resolve(context.cwd, target));
  const stores = targets.length > 0 ? named : await findRoots(select, context);
  const isIgnored = createIgnoredTest(ignored, context);
  const findLevels = createLevelFinder(levels.levels, levels.pathLevels);
  const report = (path: string, rule: Rule, message: string): readonly CheckedFile[] => {
    const level = findLevels(path).get(rule.id) ?? rule.level;
    if (level === 'off' || isIgnored(path) || !isInShard(path, selection.shard)) return [];
    return [toChecked(path, rule, level, message)];
  };
  const found: CheckedFile[] = [];
  for (const store of stores) {
    const around = await orFileError(() => lookAround(store, stores, context));
    // The check of the sessions reports a store that cannot be read.
    for (const { agent, path, rule, message } of around instanceof FileError ? [] : around) {
      if (selection.agent === undefined || selection.agent === agent)
        found.push(...report(path, rule, message));
    }
  }
  return found;
}

interface Beside {
  readonly agent: string;
  readonly path: string;
  readonly rule: Rule;
  readonly message: string;
}

/** @throws FileError for a store that cannot be read. */
async function lookAround(
  store: string,
  stores: readonly string[],
  context: Context,
): Promise<readonly Beside[]> {
  const orphans = await findOrphans(store, stores, context);
  return [
    ...orphans.map((orphan): Beside => {
      const message = `belongs to the session ${quote(orphan.id)}, which is gone`;
      return { agent: orphan.agent, path: getOrphanPath(orphan), rule: sidecarOrphaned, message };
    }),
    ...listStaleNotes(store).map(({ agent, path, pid }): Beside => {
      const message = `process ${pid}, which recorded a session as open, no longer runs`;
      return { agent, path, rule: staleNote, message };
    }),
  ];
}

function toChecked(path: string, rule: Rule, level: FindingLevel, message: string): CheckedFile {
  const finding = { path, line: 1, byteOffset: 0, rule: rule.id, level, message, fixable: false };
  return { path, findings: [finding], isBeside: true };
}
