import { UsageError } from '../../errors.ts';
import { createPathMatcher, toAbsoluteGlob } from '../../store/find/path-glob.ts';
import type { Context } from '../command.ts';
import { findPartsFault, type Parts } from '../values.ts';
import { type Level, LEVELS, type RuleLevels } from '../../session/dialect/levels.ts';

/** Levels for the files that fit a glob over absolute paths. */
export interface PathLevels {
  readonly glob: string;
  readonly id: string;
  readonly level: Level;
}

/** Parses levels such as `<id>=<level>`. */
export function parseLevels(texts: readonly string[]): RuleLevels {
  return new Map(
    texts.flatMap((text): readonly (readonly [string, Level])[] => {
      const [id = '', name] = text.split('=', 2);
      const level = LEVELS.find((one) => one === name);
      return level ? [[id, level]] : [];
    }),
  );
}

/** Parses levels such as `<id>=<level>:<glob>`. @throws UsageError */
export function parsePathLevels(
  texts: readonly string[],
  rules: Parts,
  { cwd, home }: Pick<Context, 'cwd' | 'home'>,
): readonly PathLevels[] {
  return texts.flatMap((text) => {
    const [, pair = text, glob = ''] = /^([^:]*):(.+)$/s.exec(text) ?? [];
    const fault = findPartsFault(pair, rules);
    if (fault !== undefined) throw new UsageError(`--rule-for ${text}: ${fault}`);
    if (glob === '') throw new UsageError(`--rule-for ${text}: expected <id>=<level>:<glob>`);
    const levels = [...parseLevels([pair])];
    return levels.map(([id, level]) => ({ glob: toAbsoluteGlob(glob, cwd, home), id, level }));
  });
}

/** Makes the function that finds the levels for a file: the last match applies. */
export function createLevelFinder(
  levels: RuleLevels,
  pathLevels: readonly PathLevels[],
): (path: string) => RuleLevels {
  const own = pathLevels.map((one) => ({ ...one, fits: createPathMatcher([one.glob]) }));
  return (path) => {
    const found = own.filter(({ fits }) => fits(path));
    if (found.length === 0) return levels;
    return new Map([...levels, ...found.map(({ id, level }) => [id, level] as const)]);
  };
}
