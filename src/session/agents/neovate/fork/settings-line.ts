import { FileError } from '../../../../errors.ts';
import { type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';
import type { LinePart, LineTransform } from '../../../jsonl/write/line-transform.ts';

/** The settings of a session that has none, in the form in which the agent begins them. */
export const NO_SETTINGS = Buffer.from('{"type":"config","config":{"approvalTools":[]}}');

/** The title that newer releases have appended, which is shown before any other. */
export interface TitleChange {
  readonly line: number;
  readonly title: string;
}

/**
 * A config line with other settings; every other byte of it is kept.
 * @throws FileError for a line that holds none.
 */
export function editSettings(path: string, line: Buffer, edits: readonly MemberEdit[]): Buffer {
  const edited = spliceObject(line, edits, { at: ['config'] });
  if (edited) return edited;
  throw new FileError(path, 'config-invalid', 'its config line holds no settings');
}

/**
 * Puts a config line where the agent has it: first in the file, instead of the one on `line`. Lines
 * that are not about that keep their bytes.
 */
export function putSettingsFirst(
  first: Buffer,
  line: number | undefined,
  titled?: TitleChange,
): LineTransform {
  return (current) => {
    const end = current.terminated ? '\n' : '';
    const kept = (): readonly LinePart[] | undefined => {
      if (current.number === line) return [];
      if (current.number !== titled?.line) return undefined;
      const edit = { key: 'customTitle', value: JSON.stringify(titled.title) };
      return [spliceObject(current.bytes, [edit]) ?? current.bytes, end];
    };
    if (current.number > 1) return kept();
    if (line === 1) return [first, end];
    return [first, '\n', ...(kept() ?? [current.bytes, end])];
  };
}
