import { UsageError } from '../../errors.ts';
import { isInside, toDirectory } from '../../session/model/paths.ts';
import { readOpening } from '../../session/read/read-opening.ts';
import {
  type CwdRule,
  type KnownSession,
  RelocationPlan,
} from '../../session/migrate/relocation.ts';
import type { FoundFile } from '../../store/find/discover.ts';
import type { Context } from '../command.ts';
import { runSessions } from '../shared/run-sessions.ts';
import { type FoundFiles, findStoreFiles, toProblem } from '../shared/select.ts';
import type { MigrateArgs } from './options.ts';
import type { Migrated, MigrationRunner } from './runner.ts';

/** `coppice migrate --cwd`: the chosen sessions move, and all of the stores that were forked follow. */
export async function relocateSessions(
  chosen: readonly FoundFile[],
  runner: MigrationRunner,
  args: MigrateArgs,
  context: Context,
): Promise<Migrated> {
  const rules = (args.cwd ?? []).map((text) => parseRule(text, context));
  const stored = await findStoreFiles(args, context);
  const { files, sessions, problems } = await readHeaders(chosen, stored, args, context);
  const plan = new RelocationPlan(sessions, rules);
  const migrated: Migrated[] = [];
  for (const level of plan.levels) {
    const jobs = level.flatMap((session) => {
      const file = files.get(session.path);
      const relocation = plan.relocate(session);
      return file && relocation ? [{ file, relocation }] : [];
    });
    const done = await runner.run(jobs);
    for (const { path, newPath, action } of done.results) {
      if (action === 'relocate' && newPath !== null) plan.noteMoved(path, newPath);
    }
    migrated.push(done);
  }
  return {
    results: migrated.flatMap(({ results }) => results),
    problems: [...problems, ...migrated.flatMap((one) => one.problems)],
  };
}

/** @throws UsageError for what is not a pair of different directories. */
function parseRule(text: string, { cwd, home }: Context): CwdRule {
  const at = text.indexOf('=');
  const [old, now] = [text.slice(0, at), text.slice(at + 1)];
  if (at === -1 || old === '' || now === '') {
    throw new UsageError(`--cwd ${text}: write <old>=<new>, two directories`);
  }
  const toPath = (path: string): string => toDirectory(path.replace(/^~(?=\/|$)/, home), cwd);
  const rule = { from: toPath(old), to: toPath(now) };
  if (isInside(rule.to, rule.from)) {
    const why = rule.to === rule.from ? 'are the same' : 'are one below the other';
    throw new UsageError(
      `--cwd ${text}: the directories ${why}, so that a second run would move again`,
    );
  }
  return rule;
}

interface Headers extends Pick<FoundFiles, 'problems'> {
  readonly files: ReadonlyMap<string, FoundFile>;
  readonly sessions: readonly KnownSession[];
}

/** The sessions that may be changed: others than those of known versions never are. */
async function readHeaders(
  chosen: readonly FoundFile[],
  stored: FoundFiles,
  { jobs }: MigrateArgs,
  context: Context,
): Promise<Headers> {
  const chosenPaths = new Set(chosen.map(({ path }) => path));
  const files = new Map([...stored.files, ...chosen].map((file) => [file.path, file]));
  const read = ({ path }: FoundFile) => readOpening(path, { signal: context.signal });
  const run = { label: 'Reading headers', jobs, context };
  const outcomes = await runSessions([...files.values()], read, run);
  const sessions = outcomes.flatMap((outcome): KnownSession[] => {
    if (!outcome.ok || outcome.value.kind !== 'session') return [];
    const { dialect, result } = outcome.value;
    const { header, formatVersion } = result.session;
    const { migration, currentVersion } = dialect;
    if (!header || !migration || formatVersion > currentVersion) return [];
    const { path, linked } = outcome.item;
    const isChosen = chosenPaths.has(path);
    const { toProjectDirectoryName } = migration;
    return [{ path, header, isChosen, isLinked: linked, toProjectDirectoryName }];
  });
  const unreadable = outcomes.flatMap((one) => (one.ok ? [] : [toProblem(one.error)]));
  return { files, sessions, problems: [...stored.problems, ...unreadable] };
}
