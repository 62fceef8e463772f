import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { PinDialect } from '../../session/dialect/surroundings/pins.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { isGone } from '../files/stat-file.ts';

interface FoundPin {
  /** The reason why the session is kept unless the user includes such sessions. */
  readonly pin?: string | undefined;
  /** The reason why it is not known whether it is pinned. */
  readonly doubt?: string;
  readonly failure?: FileError;
}

interface PinList {
  readonly ids: ReadonlySet<string>;
  readonly doubt?: FoundPin;
}

export const NOT_PINNED: FoundPin = {};

const NO_IDS: ReadonlySet<string> = new Set();

/** Finds whether sessions are pinned in a list of their agent; reads each list once. */
export class PinReader {
  readonly #lists = new Map<string, PinList>();

  find({ agent, path, id }: Pick<SessionSummary, 'agent' | 'path' | 'id'>): FoundPin {
    const { pins } = getDialect(agent);
    const file = pins?.findFile(path);
    if (!pins || file === undefined) return NOT_PINNED;
    const list = this.#lists.get(file) ?? readList(file, pins);
    this.#lists.set(file, list);
    return list.doubt ?? (list.ids.has(id) ? { pin: 'is pinned (--include-pinned)' } : NOT_PINNED);
  }
}

function readList(file: string, pins: PinDialect): PinList {
  const doubt = `${file} could not be read, and may pin it`;
  try {
    if (isGone(file)) return { ids: NO_IDS };
    const ids = pins.read(readRegularFile(file).toString('utf8'));
    return ids ? { ids } : { ids: NO_IDS, doubt: { doubt } };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { ids: NO_IDS, doubt: { doubt, failure: error } };
  }
}
