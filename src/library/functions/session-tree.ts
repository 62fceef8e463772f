import type { Entry } from '../../session/model/entry.ts';
import { type Label, resolveLabels as resolve } from '../../session/model/tree/labels.ts';
import {
  buildTree as build,
  getPath as get,
  type Tree,
  type TreeOptions,
  type TreeStep,
  walkTree as walk,
} from '../../session/model/tree/tree.ts';
import { check, checkOptional, checkOptions, type OptionKinds } from '../arguments.ts';

const TREE_OPTIONS: OptionKinds<TreeOptions> = { pathOrder: 'any', leaf: 'any' };

/**
 * Builds the tree of entries by their ids and parents, in linear time; it ends on cycles. Entries
 * aside are in no tree. @throws TypeError for a wrong argument.
 */
export function buildTree(entries: readonly Entry[], options: TreeOptions = {}): Tree {
  check('entries', 'objects', entries);
  checkOptions(options, TREE_OPTIONS);
  return build(entries, options);
}

/**
 * Returns the path to `entry`, root first, in the agent's reading. Stops where a cycle would begin.
 * @throws TypeError for a wrong argument.
 */
export function getPath(tree: Tree, entry: Entry | undefined): readonly Entry[] {
  checkTree(tree);
  checkOptional('entry', 'object', entry);
  return get(tree, entry);
}

/**
 * Walks a tree depth first, parents before children, siblings oldest first. Entries on a cycle are
 * left out. @throws TypeError for a wrong argument.
 */
export function walkTree(tree: Tree): Generator<TreeStep> {
  checkTree(tree);
  return walk(tree);
}

/** Returns the labels that are set, by the id of their entry. @throws TypeError for a wrong argument. */
export function resolveLabels(entries: readonly Entry[]): ReadonlyMap<string, Label> {
  check('entries', 'objects', entries);
  return resolve(entries);
}

function checkTree(tree: Tree): void {
  check('tree', 'object', tree);
  check('tree.roots', 'objects', tree.roots);
}
