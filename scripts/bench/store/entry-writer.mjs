// @ts-check
import { mix32 } from './random.mjs';

/** @import { LineFile } from './line-file.mjs' */
/** @import { SessionPlan } from './plan.mjs' */

/** Appends entries as pi does: each a child of the leaf, then the leaf itself. */
export class EntryWriter {
  #file;
  #headerBytes;
  #version;
  #idBase;
  #count = 0;
  /** Where the next entry is put: the id of its parent. @type {string | null} */
  leaf = null;
  /** Unix milliseconds of the next entry. */
  clock;

  /**
   * @param {LineFile} file with its header written
   * @param {SessionPlan} plan
   */
  constructor(file, plan) {
    this.#file = file;
    this.#headerBytes = file.bytes;
    this.#version = plan.version;
    this.#idBase = plan.seed;
    this.clock = plan.start;
  }

  /** Bytes of the entries so far. */
  get bytes() {
    return this.#file.bytes - this.#headerBytes;
  }

  /**
   * Moves to another range of ids, so that a fork's own never equal its parent's later ones.
   * @param {number} range one of 4096 (the remainder counts), of a million ids each
   */
  useIdRange(range) {
    this.#idBase += range << 20;
  }

  /**
   * Returns what a compaction names the entry by: its id; in version 1 its index.
   * @param {string} type
   * @param {object} fields
   */
  append(type, fields) {
    const identity = this.#nextIdentity();
    this.#file.write({ type, ...identity, ...fields });
    return identity.id ?? this.#count;
  }

  /**
   * The key order pi uses for what extensions append.
   * @param {'custom' | 'custom_message'} type
   * @param {object} fields
   */
  appendPayloadFirst(type, fields) {
    this.#file.write({ type, ...fields, ...this.#nextIdentity() });
  }

  /** @returns {{ id?: string, parentId?: string | null, timestamp: string }} */
  #nextIdentity() {
    this.#count += 1;
    const timestamp = new Date(this.clock).toISOString();
    if (this.#version === 1) return { timestamp };
    const parentId = this.leaf;
    this.leaf = mix32(this.#idBase + this.#count)
      .toString(16)
      .padStart(8, '0');
    return { id: this.leaf, parentId, timestamp };
  }
}
