import type { Entry, ModelRef } from '../../../session/model/entry.ts';
import { withPayloads } from '../../../session/read/turns/payloads.ts';
import type { Session } from '../../../session/model/session.ts';
import type { Redactor } from '../redactor.ts';

/**
 * Lets a redactor read a whole session, once, before anything of it is exported: the text that
 * reveals a secret may come after the secret itself. @throws FileError if the file is no longer the
 * one that was indexed.
 */
export async function learnSecrets(
  { path, header, entries }: Session,
  redactor: Redactor,
  signal: AbortSignal,
): Promise<void> {
  if (redactor.hasLearnt(path)) return;
  await withPayloads(path, async (readPayload) => {
    for (const at of header ? [header, ...entries] : entries) {
      signal.throwIfAborted();
      await redactor.learn(await readPayload(at), at.line);
    }
  });
}

/** The entries of an index whose ids, types or models hold secrets, with others in their place. */
export function hideIds({ entries }: Session, redactor: Redactor): ReadonlyMap<Entry, Entry> {
  const hidden = new Map<Entry, Entry>();
  const toSafe = <T extends string | undefined | null>(id: T): T | string =>
    typeof id === 'string' ? redactor.toSafeId(id) : id;
  for (const entry of entries) {
    const safe = {
      role: toSafe(entry.role),
      customType: toSafe(entry.customType),
      id: toSafe(entry.id),
      parentId: toSafe(entry.parentId),
      type: redactor.toSafeId(entry.type),
      targetId: toSafe(entry.targetId),
      firstKeptEntryId: toSafe(entry.firstKeptEntryId),
      fromId: toSafe(entry.fromId),
      ...(entry.model && { model: hideModel(entry.model, toSafe) }),
    };
    const isSame =
      safe.role === entry.role &&
      safe.customType === entry.customType &&
      safe.id === entry.id &&
      safe.parentId === entry.parentId &&
      safe.type === entry.type &&
      safe.targetId === entry.targetId &&
      safe.firstKeptEntryId === entry.firstKeptEntryId &&
      safe.fromId === entry.fromId &&
      safe.model?.provider === entry.model?.provider &&
      safe.model?.modelId === entry.model?.modelId;
    if (!isSame) hidden.set(entry, { ...entry, ...safe });
  }
  return hidden;
}

/** Turns get their model from the entry before them that sets one. */
function hideModel(
  { provider, modelId }: ModelRef,
  toSafe: (id: string | undefined) => string | undefined,
): ModelRef {
  return { provider: toSafe(provider), modelId: toSafe(modelId) };
}
