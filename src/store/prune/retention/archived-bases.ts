import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { findDialect } from '../../../session/agents/index.ts';
import type { BaseDialect } from '../../../session/dialect/dialect.ts';
import type { JsonObject } from '../../../session/jsonl/edit/json.ts';
import { LineSplitter } from '../../../session/jsonl/read/line-splitter.ts';
import { FirstObject } from '../../../session/jsonl/read/parse-line.ts';
import { isCompressed } from '../../../session/jsonl/zstd/is-compressed.ts';
import { unpackChunks } from '../../../session/jsonl/zstd/unpack-chunks.ts';
import { UnpackError } from '../../../session/jsonl/zstd/unpacker.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import { readManifest, readMember } from '../../archive/member/read-member.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';

type States = readonly Pick<ArchivedSession, 'member' | 'facts'>[];

/** The reason why a state is kept that has a file from which a kept one of its session continues. */
export const OWN_BASE_KEPT = 'a kept state continues from a file in it';

/** Finds the archived sessions without which others cannot be opened once they are restored. */
export class ArchivedBases {
  readonly #directory: string;
  readonly #sessions: ReadonlyMap<string, States>;
  /** The names of the files of each session. */
  readonly #names = new Map<string, readonly string[]>();

  constructor(directory: string, sessions: ReadonlyMap<string, States>) {
    this.#directory = directory;
    this.#sessions = sessions;
  }

  /** Lists the keys of the sessions that others may continue from. */
  listAll(): readonly string[] {
    return [...this.#sessions].flatMap(([key, [first]]) =>
      findDialect(first?.facts.agent)?.bases ? [key] : [],
    );
  }

  /** Returns the keys of the sessions that one continues from, in any of its states. */
  async listNeeded(key: string): Promise<readonly string[]> {
    const states = this.#sessions.get(key) ?? [];
    const { agent, bases } = await this.#findAgent(states);
    if (!bases) return [];
    const ids = new Set<string>();
    for (const { member } of states) {
      for (const id of await readBaseIds(join(this.#directory, member), bases)) ids.add(id);
    }
    if (ids.size === 0) return [];
    const needed: string[] = [];
    for (const [other, own] of this.#sessions) {
      if (other === key || own[0]?.facts.agent !== agent) continue;
      const names = await this.#listNames(other, own);
      const isNeeded = (id: string): boolean =>
        // A base of an unknown form may be any of them.
        id === '' || names.some((name) => bases.toFileId(name) === id);
      if ([...ids].some(isNeeded)) needed.push(other);
    }
    return needed;
  }

  /**
   * Lists those of a session's states that it cannot be opened without, of `others`, the last first: with a file that a
   * kept one continues from, and of which no kept one has as much.
   */
  async listOwnNeeded(kept: States, others: States): Promise<States> {
    const { bases } = await this.#findAgent(kept);
    if (!bases) return [];
    const known = new Map<string, number>();
    const ids = new Set<string>();
    const keep = async ({ member }: States[number]): Promise<void> => {
      const path = join(this.#directory, member);
      for (const id of await readBaseIds(path, bases)) ids.add(id);
      for (const [id, size] of await listSizes(path, bases)) {
        known.set(id, Math.max(size, known.get(id) ?? 0));
      }
    };
    for (const one of kept) await keep(one);
    const needed = new Set<States[number]>();
    for (let before = -1; before < needed.size;) {
      before = needed.size;
      for (const one of others) {
        const sizes = await listSizes(join(this.#directory, one.member), bases);
        const isNeeded = ([id, size]: readonly [string, number]): boolean =>
          (ids.has(id) || ids.has('')) && size > (known.get(id) ?? -1);
        if (needed.has(one) || ![...sizes].some(isNeeded)) continue;
        needed.add(one);
        await keep(one);
      }
    }
    return [...needed];
  }

  /** Finds the agent of some states, and how its sessions continue others. The index may name another one. */
  async #findAgent(states: States) {
    for (const { member, facts } of states) {
      const manifest = await orFileError(() => readManifest(join(this.#directory, member)));
      const { agent } = manifest instanceof FileError ? facts : manifest;
      const bases = findDialect(agent)?.bases;
      if (bases) return { agent, bases };
    }
    return {};
  }

  async #listNames(key: string, states: States): Promise<readonly string[]> {
    const known = this.#names.get(key);
    if (known) return known;
    const names: string[] = [];
    for (const { member, facts } of states) {
      names.push(basename(facts.path));
      const manifest = await orFileError(() => readManifest(join(this.#directory, member)));
      if (manifest instanceof FileError) continue;
      names.push(...manifest.files.map(({ name }) => basename(name)));
    }
    this.#names.set(key, names);
    return names;
  }
}

/** How long each file of a member is, by its id; what is compressed may have any text. */
async function listSizes(path: string, bases: BaseDialect): Promise<ReadonlyMap<string, number>> {
  const manifest = await orFileError(() => readManifest(path));
  if (manifest instanceof FileError) return new Map();
  return new Map(
    manifest.files.flatMap(({ name, size }) => {
      const id = bases.toFileId(basename(name));
      return id === undefined ? [] : [[id, isCompressed(name) ? Infinity : size] as const];
    }),
  );
}

/**
 * The ids that the files of a member continue from; an empty one where it may continue from any, since not all of their
 * first lines can be read.
 */
async function readBaseIds(path: string, bases: BaseDialect): Promise<readonly string[]> {
  const ids: string[] = [];
  let seen = 0;
  const read = await orFileError(() =>
    readMember(path, async ({ name }, chunks) => {
      const id = await findBaseId(name, chunks, bases);
      if (id !== undefined) ids.push(id);
      seen += 1;
    }),
  );
  if (!(read instanceof FileError) || read.code === 'ENOENT') return ids;
  const manifest = await orFileError(() => readManifest(path));
  const isWhole = !(manifest instanceof FileError) && seen >= manifest.files.length;
  return isWhole ? ids : [...ids, ''];
}

/** The id that a file of a member continues from, also where the file is damaged behind its first line. Takes every chunk. */
async function findBaseId(
  name: string,
  chunks: AsyncIterable<Buffer>,
  bases: BaseDialect,
): Promise<string | undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  // The loop over it must not end it: the rest is taken below.
  const open = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
  let id: string | undefined;
  try {
    const first = await readFirstObject(isCompressed(name) ? unpackChunks(open) : open);
    id = first && bases.findBase(first);
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error;
    id = '';
  }
  while (!(await iterator.next()).done);
  return id;
}

/** No agent writes a longer header. */
const MAX_FIRST_BYTES = 64 * 1024 * 1024;

/** The first line that is a JSON object; reads no further. */
async function readFirstObject(chunks: AsyncIterable<Buffer>): Promise<JsonObject | undefined> {
  const first = new FirstObject();
  const splitter = new LineSplitter((line) => first.visit(line), { maxLineBytes: MAX_FIRST_BYTES });
  for await (const chunk of chunks) {
    splitter.push(chunk);
    if (first.value) return first.value;
  }
  splitter.end();
  return first.value;
}
