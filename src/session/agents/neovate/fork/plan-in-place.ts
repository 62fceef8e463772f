import type { InPlacePlan, InPlaceRequest } from '../../../dialect/forking.ts';
import type { Session } from '../../../model/session.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';
import { editSettings, NO_SETTINGS, putSettingsFirst } from './settings-line.ts';

/** Returns the reason why a session of Neovate cannot hold the requested change. */
export function findObstacle({ move, labels }: InPlaceRequest): string | undefined {
  if (move) {
    return 'Neovate keeps no record of a leaf, and continues from the last message; fork without --in-place';
  }
  return labels.length > 0 ? 'Neovate keeps no labels' : undefined;
}

/**
 * The name of a session is the summary of its config line, which the listing of 0.17.1 takes from
 * the first line of the file. A title that newer releases have appended goes before it, so it
 * changes along with it.
 */
export function planInPlace({ path, entries }: Session, { name }: InPlaceRequest): InPlacePlan {
  const title = toOneLine(name ?? '');
  const config = entries.find(({ type }) => type === 'config');
  const given = entries.findLast(({ type }) => type === 'custom-title');
  const isInConfig = config?.line === 1 && config.name === title;
  const isNamed = isInConfig && (given === undefined || given.name === title);
  const reasons = [`named ${title}`];
  return {
    changes: isNamed ? [] : reasons,
    unchanged: isNamed ? reasons : [],
    async toChange(_summary, readLine) {
      const settings = config ? await readLine(config) : NO_SETTINGS;
      const edit = { key: 'summary', value: JSON.stringify(title) };
      const first = editSettings(path, settings, [edit]);
      const titled = given && { line: given.line, title };
      return { kind: 'rewrite', transform: putSettingsFirst(first, config?.line, titled) };
    },
  };
}
