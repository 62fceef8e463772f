import { FileError } from '../../../../errors.ts';
import type { Entry } from '../../../model/entry.ts';
import type { InPlacePlan, InPlaceRequest } from '../../../dialect/forking.ts';
import type { LinePart, LineTransform } from '../../../jsonl/write/line-transform.ts';
import { spliceObject } from '../../../jsonl/edit/splice.ts';
import type { Session } from '../../../model/session.ts';
import { toOneLine } from '../../../model/text/to-one-line.ts';

/** Of a session that has none, as the agent begins them. */
const NO_SETTINGS = Buffer.from('{"type":"config","config":{"approvalTools":[]}}');

/** Why a session of Neovate has no place for what is asked for. */
export function findObstacle({ move, labels }: InPlaceRequest): string | undefined {
  if (move) {
    return 'Neovate keeps no record of a leaf: it goes on from the last message; fork without --in-place';
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
      const first = setMember(settings, 'summary', title, ['config']);
      if (!first) {
        throw new FileError(path, 'config-invalid', `line ${config?.line} holds no settings`);
      }
      return { kind: 'rewrite', transform: createRename(title, { first, config, given }) };
    },
  };
}

interface Places {
  /** The first line of the new file. */
  readonly first: Buffer;
  readonly config: Entry | undefined;
  readonly given: Entry | undefined;
}

/** As the agent writes its settings: one line, the first of the file. */
function createRename(title: string, { first, config, given }: Places): LineTransform {
  return (line) => {
    const end = line.terminated ? '\n' : '';
    const kept = (): readonly LinePart[] | undefined => {
      if (line.number === config?.line) return [];
      if (line.number !== given?.line) return undefined;
      return [setMember(line.bytes, 'customTitle', title) ?? line.bytes, end];
    };
    if (line.number > 1) return kept();
    if (config?.line === 1) return [first, end];
    return [first, '\n', ...(kept() ?? [line.bytes, end])];
  };
}

function setMember(
  bytes: Buffer,
  key: string,
  text: string,
  at: readonly string[] = [],
): Buffer | undefined {
  return spliceObject(bytes, [{ key, value: JSON.stringify(text) }], { at });
}
