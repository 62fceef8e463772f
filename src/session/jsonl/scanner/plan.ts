import { BASE64, DROP, MEMBER_BYTES, NODE_BYTES, PLAN, PLAN_END, START, WHOLE } from './layout.ts';

/**
 * The part of a value that is read: all of it; or its start, which is of a long text its beginning, and of an
 * object or array that it is one; or the same, but all of a text that is not base64; or of an object, and of each
 * object of an array, these members. A plan for members may come with what is looked at where a text stands in
 * their place: its start, unless it says otherwise.
 */
export type Part = TextPart | Members | readonly [text: TextPart, Members];

/** Each leaves of a text as much as those before it, or more. */
const TEXT_PARTS = ['start', 'base64', 'whole'] as const;
type TextPart = (typeof TEXT_PARTS)[number];

export interface Members {
  readonly [key: string]: Part;
}

/** The members that are read of a line that holds an object. Others need not be there. */
export type LinePlan = Members;

/** Names the members that at least one of several plans names. */
export function mergePlans(plans: readonly LinePlan[]): LinePlan {
  const merged: Record<string, Part> = {};
  for (const plan of plans) {
    for (const [key, part] of Object.entries(plan)) {
      const known = merged[key];
      merged[key] = known === undefined ? part : mergeParts(known, part);
    }
  }
  return merged;
}

function mergeParts(one: Part, other: Part): Part {
  if (one === 'whole' || other === 'whole') return 'whole';
  const text = toMore(toTextPart(one), toTextPart(other));
  const members = [one, other].flatMap(toMembers);
  return members.length === 0 ? text : [text, mergePlans(members)];
}

function toMore(one: TextPart, other: TextPart): TextPart {
  return TEXT_PARTS.indexOf(one) < TEXT_PARTS.indexOf(other) ? other : one;
}

function toTextPart(part: Part): TextPart {
  if (typeof part === 'string') return part;
  return isWithText(part) ? part[0] : 'start';
}

function toMembers(part: Part): readonly Members[] {
  if (typeof part === 'string') return [];
  return isWithText(part) ? [part[1]] : [part];
}

/** A plan as the scanner reads it: the address of its first node, and bytes from `PLAN` on. */
export interface WrittenPlan {
  readonly root: number;
  readonly bytes: Buffer;
}

const PARTS = { start: START, base64: BASE64, whole: WHOLE } as const;

/** Plans are data of the program: one that does not fit is a bug. */
export function writePlan(plan: LinePlan): WrittenPlan {
  const writer = new PlanWriter();
  const root = writer.addNode(plan, START);
  return { root, bytes: writer.bytes };
}

class PlanWriter {
  readonly #memory = Buffer.alloc(PLAN_END - PLAN);
  #end = 0;

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#end);
  }

  addNode(members: Members, text: number): number {
    const entries = Object.entries(members);
    const places = 2 ** Math.ceil(Math.log2(entries.length * 2 + 2));
    const node = this.#reserve(NODE_BYTES + places * MEMBER_BYTES);
    this.#memory.writeUInt32LE(text, node);
    this.#memory.writeUInt32LE(places - 1, node + 4);
    for (const [key, part] of entries) {
      const place = this.#findPlace(node + NODE_BYTES, places - 1, key);
      this.#memory.writeUInt32LE(this.#addKey(key), place);
      this.#memory.writeUInt32LE(this.#addPart(part), place + 4);
    }
    return PLAN + node;
  }

  #addPart(part: Part): number {
    if (typeof part === 'string') return PARTS[part];
    return isWithText(part) ? this.addNode(part[1], PARTS[part[0]]) : this.addNode(part, START);
  }

  #addKey(key: string): number {
    const at = this.#reserve(key.length + 1);
    this.#memory.writeUInt8(key.length, at);
    this.#memory.write(key, at + 1, 'latin1');
    return PLAN + at;
  }

  #findPlace(table: number, mask: number, key: string): number {
    let place = hash(key) & mask;
    while (this.#memory.readUInt32LE(table + place * MEMBER_BYTES) !== DROP) {
      place = (place + 1) & mask;
    }
    return table + place * MEMBER_BYTES;
  }

  #reserve(length: number): number {
    const at = this.#end;
    this.#end = (at + length + 7) & ~7;
    return at;
  }
}

/** Hashes a key exactly like `assembly/reduce.ts`. */
function hash(key: string): number {
  if (key === '') return 0;
  return key.length * 5 + key.charCodeAt(0) + key.charCodeAt(key.length - 1) * 3;
}

function isWithText(part: Part): part is readonly [TextPart, Members] {
  return Array.isArray(part);
}
