import { isAbsolute, normalize } from 'node:path';
import {
  getNumber,
  getString,
  isArray,
  isObject,
  parseJson,
} from '../../session/jsonl/edit/json.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import { listNames } from '../../session/jsonl/files/list-directory.ts';
import type { Problem } from '../../session/model/summary.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { RECORD_NAME } from './made-names.ts';
import type { WrittenFile } from './output-directory.ts';

const RECORD_VERSION = 4;
/** Before version 4, keys had half the hash of a session's path, as the names of their files had. */
const OLDER_HASH = 16;

/**
 * The record of the export of one source. It holds nothing of the source, since it is beside files to share.
 */
export interface ExportRecord {
  /**
   * A hash of all that decides about the bytes of the files: the source's state, the options, the
   * version of coppice. Empty where the export was stopped halfway: such files are made again.
   */
  readonly made: string;
  /** A hash of the way in which secrets were taken out; empty if they were kept. */
  readonly redaction: string;
  /** A hash of the agent, the id and the beginning of the session. */
  readonly session?: string | undefined;
  /** The session was found elsewhere since, and its file no more. */
  readonly hasMoved?: boolean | undefined;
  readonly files: readonly WrittenFile[];
  /** Other sources that were read, each as `toOtherState` writes it. */
  readonly others?: readonly string[] | undefined;
  /** The parts of the source that could not be read. */
  readonly problems: readonly RecordedProblem[];
}

/** `of`: a hash of the session's path, where a record is of several. */
export type RecordedProblem = Problem & { readonly of?: string | undefined };

export const NO_RECORD: ExportRecord = { made: '', redaction: '', files: [], problems: [] };

/** The text of a file of records, each by its key. */
export function formatRecords(records: ReadonlyMap<string, ExportRecord>): string {
  const content = { recordVersion: RECORD_VERSION, records: Object.fromEntries(records) };
  return `${JSON.stringify(content)}\n`;
}

/** The names of records in a directory, in order. @throws FileError if it cannot be read. */
export function listRecords(directory: string): readonly string[] {
  return listNames(directory).filter((name) => RECORD_NAME.test(name));
}

/**
 * Reads the records of another run, which may have removed them since they were listed.
 * @throws FileError if they cannot be read.
 */
export function readRecordsOfOther(path: string): Iterable<[string, ExportRecord]> {
  try {
    return readRecords(path) ?? [];
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (isMissing(problem)) return [];
    throw problem;
  }
}

/** Undefined for a record that is damaged: then all is made again. So it is for one of another version, but its files are known. */
export function readRecords(path: string): Map<string, ExportRecord> | undefined {
  const content = parseJson(readRegularFile(path).toString('utf8'));
  if (!isObject(content)) return undefined;
  const isOfThisVersion = content['recordVersion'] === RECORD_VERSION;
  const records = new Map<string, ExportRecord>();
  for (const [key, value] of Object.entries(content['records'] ?? {})) {
    const record = toRecord(value);
    if (record) records.set(key, isOfThisVersion ? record : { ...record, made: '', redaction: '' });
  }
  return records;
}

/** Returns the key that earlier versions gave to a source. */
export function toOlderKey(key: string): string {
  const [format = '', hash = ''] = key.split(':', 2);
  return `${format}:${hash.slice(0, OLDER_HASH)}`;
}

function toRecord(value: unknown): ExportRecord | undefined {
  if (!isObject(value)) return undefined;
  const { files, problems, others } = value;
  const made = getString(value, 'made');
  if (made === undefined || !isArray(files) || !isArray(problems)) return undefined;
  const written = files.flatMap((file) => toWrittenFile(file) ?? []);
  if (written.length !== files.length) return undefined;
  return {
    made,
    redaction: getString(value, 'redaction') ?? '',
    session: getString(value, 'session'),
    hasMoved: value['hasMoved'] === true,
    files: written,
    others: isArray(others) ? others.filter((one) => typeof one === 'string') : [],
    problems: problems.flatMap((problem) => {
      if (!isObject(problem)) return [];
      const [code, message] = [getString(problem, 'code'), getString(problem, 'message')];
      const of = getString(problem, 'of');
      return code === undefined || message === undefined ? [] : [{ code, message, of }];
    }),
  };
}

function toWrittenFile(value: unknown): WrittenFile | undefined {
  if (!isObject(value)) return undefined;
  const [name, sha256] = [getString(value, 'name'), getString(value, 'sha256')];
  const [size, stamp] = [getNumber(value, 'size'), getString(value, 'stamp')];
  if (name === undefined || sha256 === undefined || size === undefined || stamp === undefined) {
    return undefined;
  }
  // The record is where anyone may have put it: what it names may be removed later.
  return isInside(name) ? { name, size, sha256, stamp } : undefined;
}

function isInside(name: string): boolean {
  return !isAbsolute(name) && normalize(name) === name && !/^\.\.?(?:[/\\]|$)/.test(name);
}
