import { createIds, runTest } from '../../memory-terminal.ts';
import { type Files, toFiles } from './sandbox.ts';
import type { Scenario } from './walk.ts';

export type Texts = Readonly<Record<string, string>>;

export function toScenario(
  name: string,
  texts: Texts,
  argv: readonly string[],
  more: Partial<Scenario> = {},
): Scenario {
  return { name, files: toFiles(texts), run: (root) => runIn(root, argv), ...more };
}

export function runIn(root: string, argv: readonly string[]) {
  return runTest(argv, { cwd: root, home: `${root}/home`, createId: createIds() });
}

/** A cache holds what differs from run to run, and does without what it lacks. */
export function without(name: RegExp): (files: Files) => Files {
  return (files) => new Map([...files].filter(([path]) => !name.test(path)));
}
