import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { renameMember } from '../../../jsonl/edit/splice.ts';
import type { HeaderChanges } from '../../../dialect/migration.ts';
import { CURRENT_VERSION } from '../format.ts';
import { editLine } from './edit-line.ts';

/** The changes to the header. */
export interface HeaderEdit {
  readonly changes: HeaderChanges;
  /** False: only the changes. */
  readonly upgrades: boolean;
}

/** The header line of any version as the current one; the same bytes when nothing is to change. */
export function editHeader(bytes: Buffer, header: JsonObject, edit: HeaderEdit): Buffer {
  const { changes, upgrades } = edit;
  const isOld = upgrades && header['version'] !== CURRENT_VERSION;
  const version = isOld ? [{ key: 'version', value: String(CURRENT_VERSION) }] : [];
  const cwd = changes.cwd === undefined ? [] : [{ key: 'cwd', value: JSON.stringify(changes.cwd) }];
  const edited = editLine(editLine(bytes, version, 'type'), cwd, 'timestamp');
  return editParent(edited, header, edit);
}

/** v1 calls the parent `branchedFrom`. */
function editParent(bytes: Buffer, header: JsonObject, { changes, upgrades }: HeaderEdit): Buffer {
  const isBranch =
    header['parentSession'] === undefined && getString(header, 'branchedFrom') !== undefined;
  const key = isBranch && !upgrades ? 'branchedFrom' : 'parentSession';
  const renamed = isBranch && upgrades ? renameMember(bytes, 'branchedFrom', key) : bytes;
  if (changes.parentSession === undefined) return renamed;
  return editLine(renamed, [{ key, value: JSON.stringify(changes.parentSession) }], 'cwd');
}
