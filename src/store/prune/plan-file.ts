import { isDeviceOrOpenFile } from '../output/device-paths.ts';
import { replaceOwn } from '../files/replace-own.ts';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../../errors.ts';
import {
  getNumber,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../session/jsonl/edit/json.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { makeDirectories } from '../../session/jsonl/files/make-directories.ts';
import { findSyntaxFault } from '../settings/find-syntax-fault.ts';
import { readNamedText } from '../files/read-named-text.ts';
import { createHash } from 'node:crypto';
import type { Candidate } from '../../session/prune/candidate.ts';
import { readExactly } from '../files/read-exactly.ts';
import type { SessionFiles } from '../sessions/session-files.ts';

/** The rules with which a plan was made, and is applied. */
export interface PlannedRules {
  readonly grace: string;
  /** Whether only sessions whose working directory is gone are to go, also by the time when the plan is applied. */
  readonly missingCwd?: boolean | undefined;
  readonly includeParents: boolean;
  /** Whether kept forks are made self-contained. */
  readonly flatten: boolean;
  readonly includeDamaged: boolean;
  readonly includePinned: boolean;
  readonly allowEmpty: boolean;
}

/** The terms with which a plan was made, and is applied. */
export interface PlanTerms {
  readonly createdAt: string;
  readonly stores: readonly string[];
  /** Those of the stores that held no session: the plan can be applied without them. */
  readonly emptyStores: readonly string[];
  /** Whether the agents' own stores were searched, and are, wherever they are by then. */
  readonly ownStores?: boolean | undefined;
  readonly rules: PlannedRules;
}

/** A session that is to go, or to be changed for that, as it was when the plan was made. */
export interface PlannedSession {
  readonly path: string;
  /** It is kept, and made self-contained; absent for a session that is to go. */
  readonly action?: 'flatten' | undefined;
  /** The key that decides its shard, if that is not its path. */
  readonly family?: string | undefined;
  readonly title: string;
  readonly cwd: string;
  readonly lastActive: string;
  /** Bytes, with what is beside it. */
  readonly bytes: number;
  readonly reasons: readonly string[];
  /** SHA-256 over the content and state of the session file and of what is beside it. */
  readonly stamp: string;
}

export interface Plan {
  readonly terms: PlanTerms;
  readonly sessions: readonly PlannedSession[];
}

const KIND = 'coppice prune plan';
const SCHEMA_VERSION = 1;

/** The first line of a plan file. */
interface PlanHead extends Omit<PlanTerms, 'rules'>, PlannedRules {
  readonly kind: typeof KIND;
  readonly schemaVersion: typeof SCHEMA_VERSION;
}

/** A line of a plan file: the first is its terms. */
export type PlanLine = PlanHead | PlannedSession;

/**
 * Writes a plan that people can edit: a line of terms, then a line for each session that would go or change.
 * A line that is taken out, or begins with `#`, keeps its session as it is. Readable by its owner only.
 * @throws FileError; UsageError when a file is there that is not a plan.
 */
export async function writePlan(path: string, { terms, sessions }: Plan): Promise<void> {
  await checkOverwrite(path);
  const { rules, ...searched } = terms;
  const head: PlanHead = { kind: KIND, schemaVersion: SCHEMA_VERSION, ...searched, ...rules };
  try {
    makeDirectories(dirname(path));
    await replaceOwn(path, async (file) => {
      for (const line of [head, ...sessions]) await file.appendFile(`${JSON.stringify(line)}\n`);
      await file.sync();
    });
  } catch (error) {
    throw toFileError(error, path, 'write the plan');
  }
}

/**
 * Reads a plan back.
 * @throws UsageError that names the line which is none: half a plan is worse than none.
 */
export async function readPlan(path: string): Promise<Plan> {
  const text = await readText(path);
  const numbered = text.split('\n').map((line, index) => ({ line, where: `${path}:${index + 1}` }));
  const lines = numbered.filter(({ line }) => !/^\s*(#|$)/.test(line));
  const [head, ...rest] = lines.map(({ line, where }) => ({ value: parse(line, where), where }));
  if (!head) throw new UsageError(`${path}: is empty; expected a plan`);
  const terms = toTerms(head.value);
  if (!terms) throw new UsageError(`${head.where}: is not the first line of a prune plan`);
  checkMembers(head.value, HEAD, head.where);
  const sessions = rest.map(({ value, where }) => {
    checkMembers(value, MEMBERS, where);
    const session = toPlanned(value);
    if (session) return session;
    throw new UsageError(`${where}: is not a session of a prune plan`);
  });
  return { terms, sessions };
}

const HEAD: Readonly<Record<keyof PlanHead, true>> = {
  kind: true,
  schemaVersion: true,
  createdAt: true,
  stores: true,
  emptyStores: true,
  ownStores: true,
  grace: true,
  missingCwd: true,
  includeParents: true,
  flatten: true,
  includeDamaged: true,
  includePinned: true,
  allowEmpty: true,
};

const MEMBERS: Readonly<Record<keyof PlannedSession, true>> = {
  path: true,
  action: true,
  family: true,
  title: true,
  cwd: true,
  lastActive: true,
  bytes: true,
  reasons: true,
  stamp: true,
};

/** @throws UsageError for a member that means nothing here: `"keep": true` would not keep the session. */
function checkMembers(value: JsonObject, known: object, where: string): void {
  const name = Object.keys(value).find((key) => !Object.hasOwn(known, key));
  if (name === undefined) return;
  throw new UsageError(
    `${where}: a prune plan has no member ${JSON.stringify(name)}; to keep a session, put # before its line`,
  );
}

function parse(line: string, where: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch (error) {
    const column = findSyntaxFault(line)?.column;
    const place = column === undefined ? ': it ends too early' : ` at character ${column}`;
    throw new UsageError(`${where}: is not valid JSON${place}`, { cause: error });
  }
  throw new UsageError(`${where}: holds no JSON object`);
}

function toTerms(value: JsonObject): PlanTerms | undefined {
  if (value['kind'] !== KIND || value['schemaVersion'] !== SCHEMA_VERSION) return undefined;
  const [createdAt, grace] = [getString(value, 'createdAt'), getString(value, 'grace')];
  const [stores, emptyStores] = [toStrings(value, 'stores'), toStrings(value, 'emptyStores')];
  if (createdAt === undefined || grace === undefined || !stores || !emptyStores) return undefined;
  const { ownStores, missingCwd, includeParents, flatten } = value;
  const { includeDamaged, includePinned, allowEmpty } = value;
  // A flag may protect sessions: a text such as "true" must not count as false.
  const flags = [ownStores, missingCwd, includeParents, flatten, includeDamaged, includePinned];
  if (![...flags, allowEmpty].every(isFlag)) return undefined;
  return {
    createdAt,
    stores,
    emptyStores,
    ownStores: ownStores === true,
    rules: {
      grace,
      missingCwd: missingCwd === true,
      includeParents: includeParents === true,
      flatten: flatten === true,
      includeDamaged: includeDamaged === true,
      includePinned: includePinned === true,
      allowEmpty: allowEmpty === true,
    },
  };
}

function isFlag(value: JsonValue | undefined): boolean {
  return value === undefined || typeof value === 'boolean';
}

function toPlanned(value: JsonObject): PlannedSession | undefined {
  const [path, stamp] = [getString(value, 'path'), getString(value, 'stamp')];
  const reasons = toStrings(value, 'reasons');
  const { action } = value;
  if (path === undefined || stamp === undefined || !reasons) return undefined;
  if (action !== undefined && action !== 'flatten') return undefined;
  const bytes = getNumber(value, 'bytes') ?? 0;
  return {
    path,
    action,
    family: getString(value, 'family'),
    stamp,
    reasons,
    title: getString(value, 'title') ?? '',
    cwd: getString(value, 'cwd') ?? '',
    lastActive: toTime(getString(value, 'lastActive')),
    bytes: Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : 0,
  };
}

/** A time as it is in JSON, or nothing: people edit plans. */
function toTime(text: string | undefined): string {
  return text !== undefined && /^\d{4}-\d\d-\d\dT/.test(text) && Number.isFinite(Date.parse(text))
    ? text
    : '';
}

function toStrings(value: JsonObject, key: string): readonly string[] | undefined {
  const list = value[key];
  if (!isArray(list)) return undefined;
  const strings = list.filter((item) => typeof item === 'string');
  return strings.length === list.length ? strings : undefined;
}

/** @throws UsageError for what is there, and is not a plan: it would be lost. */
export async function checkOverwrite(path: string): Promise<void> {
  if (isDeviceOrOpenFile(path)) {
    throw new UsageError(`--plan-out ${path}: not an ordinary file; name another`);
  }
  let start: string;
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
      start = buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    const problem = toFileError(error, path, 'write the plan');
    if (problem.code === 'ENOENT') return;
    throw new UsageError(`${path}: ${problem.message}`, { cause: error });
  }
  // Some scripts make the file before they name it.
  if (start === '' || start.includes(`"kind":"${KIND}"`)) return;
  throw new UsageError(`--plan-out ${path}: already exists, and is not a plan; name another file`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readNamedText(path, 'read the plan');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message } = toFileError(error, path, 'read the plan');
    throw new UsageError(`${path}: ${message}`, { cause: error });
  }
}

/** The facts that an agent may keep of a session outside of its files. */
type Facts = Pick<Candidate, 'name' | 'labelCount' | 'hasNamedPart' | 'unread'>;

/**
 * Hashes the state of a session and its sidecars: names, sizes, mtimes, inodes and every byte, and what a keep
 * rule goes by that may be elsewhere, as one SHA-256.
 * @throws FileError when a file cannot be read, or changes meanwhile.
 */
export async function readStamp(
  session: SessionFiles,
  { name: title, labelCount, hasNamedPart = false, unread }: Facts,
): Promise<string> {
  const hash = createHash('sha256');
  const doubts = [unread.title === true, unread.otherName === true];
  hash.update(`${JSON.stringify([title, labelCount, hasNamedPart, ...doubts])}\n`);
  for (const file of session.files) {
    const { name, size, mtimeMs, ino, dev } = file;
    hash.update(`${JSON.stringify([name, size, mtimeMs, ino, dev])}\n`);
    for await (const chunk of readExactly(session.root, file)) hash.update(chunk);
  }
  for (const { name } of session.directories) hash.update(`${JSON.stringify(name)}\n`);
  return hash.digest('hex');
}
