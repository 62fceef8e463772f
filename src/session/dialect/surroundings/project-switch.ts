import { isAbsolute, join } from 'node:path';
import type { StoreWorld } from './world.ts';

/** The places of a setting that is on unless it is turned off. */
export interface SwitchPlaces {
  readonly name: string;
  /** The paths of the user's own settings files; the last that has it counts. */
  readonly own: readonly string[];
  /** The working directory of the session, and the settings files in it. */
  readonly cwd: string;
  readonly project: readonly string[];
}

/**
 * Returns whether a setting is on. A project, which may be a stranger's, can only turn it off; a relative directory would
 * be that of coppice, and has no say.
 */
export async function isSwitchedOn(
  { readSettings }: Pick<StoreWorld, 'readSettings'>,
  { name, own, cwd, project }: SwitchPlaces,
): Promise<boolean> {
  let isOn = true;
  for (const path of own) {
    const given = (await readSettings(path))?.[name];
    if (typeof given === 'boolean') isOn = given;
  }
  for (const file of isAbsolute(cwd) ? project : []) {
    if ((await readSettings(join(cwd, file)))?.[name] === false) isOn = false;
  }
  return isOn;
}
