/**
 * Answers, with real releases of pi, what the conformance tests ask. The requests and answers are typed in
 * `../reference.ts`.
 *
 * A session is always opened as a copy, since pi migrates and repairs the file that it opens.
 */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { answerRequests } from '../answer-requests.mjs';

/** The release that answers. Scripts name their own. */
const RELEASE = process.argv[2];
const core = findCore(RELEASE);
const { SessionManager } = await import(new URL('session-manager.js', core));
const { convertToLlm } = await import(new URL('messages.js', core));
const {
  collectEntriesForBranchSummary,
  computeFileLists,
  findCutPoint,
  prepareBranchEntries,
  prepareCompaction,
  serializeConversation,
} = await import(new URL('compaction/index.js', core));

const handlers = {
  list,
  session: (request) => onCopy(request, describeSession),
  contextAt: (request) => onCopy(request, contextAt),
  contexts: (request) => onCopy(request, describeContexts),
  compact: (request) => onCopy(request, compact),
  fork: (request) => onCopy(request, fork),
  forkWhole: (request) => onCopy(request, forkWhole),
  prepareCompaction: (request) => onCopy(request, describePreparation),
  prepareBranch: (request) => onCopy(request, describeBranchPreparation),
  serialize: (request) => onCopy(request, serialize),
  sent: (request) => onCopy(request, describeSent),
  convert: (request) => onCopy(request, convert),
  findCutPoint: (request) => onCopy(request, findCut),
  script: runScript,
  lateWrite: writeLate,
};

await answerRequests(handlers);

async function inTemporaryDirectory(use) {
  const dir = mkdtempSync(join(tmpdir(), 'pi-'));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function onCopy(request, use) {
  return inTemporaryDirectory((dir) => {
    const copy = join(dir, basename(request.path));
    copyFileSync(request.path, copy);
    return use(request.ask === 'forkWhole' ? copy : SessionManager.open(copy), request);
  });
}

/** How entries are named in answers: by position in the file, as migration makes random ids. */
function numberEntries(manager) {
  return new Map(manager.getEntries().map((entry, ordinal) => [entry, ordinal]));
}

function entryAt(manager, ordinal) {
  const entry = manager.getEntries().at(ordinal);
  if (entry === undefined) throw new Error(`no entry with ordinal ${ordinal}`);
  return entry;
}

async function list({ dir }) {
  const sessions = await SessionManager.listAll(dir);
  return sessions.map((session) => ({
    ...session,
    created: toIsoOrNull(session.created),
    modified: toIsoOrNull(session.modified),
    allMessagesText: undefined,
  }));
}

function toIsoOrNull(date) {
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function describeSession(manager) {
  const ordinals = numberEntries(manager);
  const branch = manager.getBranch();
  return {
    header: manager.getHeader(),
    name: manager.getSessionName(),
    leafId: manager.getLeafId(),
    entryCount: ordinals.size,
    branch: branch.map((entry) => entry.id),
    branchOrdinals: branch.map((entry) => ordinals.get(entry)),
    tree: flattenTree(manager.getTree(), ordinals),
    context: manager.buildSessionContext(),
  };
}

/** Depth first. A node that duplicate ids put in the tree twice is listed once, where first met. */
function flattenTree(roots, ordinals) {
  const rows = [];
  const seen = new Set();
  const pending = roots.toReversed().map((node) => ({ node, depth: 0 }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next;
    if (seen.has(node)) continue;
    seen.add(node);
    const { entry, children, label, labelTimestamp } = node;
    rows.push({ id: entry.id, ordinal: ordinals.get(entry), depth, label, labelTimestamp });
    for (const child of children.toReversed()) pending.push({ node: child, depth: depth + 1 });
  }
  return rows;
}

function contextAt(manager, { entryOrdinal }) {
  manager.branch(entryAt(manager, entryOrdinal).id);
  return manager.buildSessionContext();
}

/** At the entries with these ids, or at the end of each branch. */
function describeContexts(manager, { ids }) {
  const entries = manager.getEntries();
  const parents = new Set(entries.map((entry) => entry.parentId));
  const ends = entries.map((entry) => entry.id).filter((id) => !parents.has(id));
  const leafId = manager.getLeafId();
  const contexts = (ids ?? ends).map((id) => {
    manager.branch(id);
    return { id, context: manager.buildSessionContext() };
  });
  return { leafId, contexts };
}

/** As pi's own compaction does, but for the model's part. */
function compact(manager, { settings, summary }) {
  const preparation = prepareCompaction(manager.getBranch(), settings);
  if (preparation === undefined) return null;
  const { firstKeptEntryId, tokensBefore } = preparation;
  manager.appendCompaction(summary, firstKeptEntryId, tokensBefore);
  return manager.buildSessionContext();
}

function fork(manager, { entryOrdinal }) {
  const id = entryOrdinal === null ? manager.getLeafId() : entryAt(manager, entryOrdinal).id;
  manager.createBranchedSession(id);
  return describeFork(manager);
}

function forkWhole(copy, { cwd }) {
  return describeFork(SessionManager.forkFrom(copy, cwd, join(copy, '..')));
}

/** pi defers the file of a fork without an assistant message: then `text` is what it would write. */
function describeFork(manager) {
  const file = manager.getSessionFile();
  const written = existsSync(file);
  const lines = [manager.getHeader(), ...manager.getEntries()].map((line) => JSON.stringify(line));
  return {
    written,
    text: written ? readFileSync(file, 'utf8') : `${lines.join('\n')}\n`,
    context: manager.buildSessionContext(),
  };
}

function describePreparation(manager, { settings }) {
  const ordinals = numberEntries(manager);
  const branch = manager.getBranch();
  const preparation = prepareCompaction(branch, settings);
  if (preparation === undefined) return null;
  const firstKept = branch.find((entry) => entry.id === preparation.firstKeptEntryId);
  return {
    firstKeptEntryOrdinal: ordinals.get(firstKept),
    tokensBefore: preparation.tokensBefore,
    isSplitTurn: preparation.isSplitTurn,
    messagesToSummarize: preparation.messagesToSummarize,
    turnPrefixMessages: preparation.turnPrefixMessages,
    previousSummary: preparation.previousSummary,
    ...computeFileLists(preparation.fileOps),
  };
}

function describeBranchPreparation(manager, { fromOrdinal, toOrdinal, tokenBudget }) {
  const [from, to] = [fromOrdinal, toOrdinal].map((ordinal) => entryAt(manager, ordinal).id);
  const { entries } = collectEntriesForBranchSummary(manager, from, to);
  const { messages, fileOps, totalTokens } = prepareBranchEntries(entries, tokenBudget);
  const ordinals = numberEntries(manager);
  return {
    entryOrdinals: entries.map((entry) => ordinals.get(entry)),
    messages,
    totalTokens,
    ...computeFileLists(fileOps),
  };
}

/** The context on its way to a model, as pi 1.6.0 makes it ready for any provider. */
async function describeSent(manager) {
  const { messages } = manager.buildSessionContext();
  const pi = new URL('../../node_modules/@earendil-works/pi-ai/dist/', findCore('1.6.0'));
  const { transformMessages } = await import(new URL('api/transform-messages.js', pi));
  return transformMessages(convertToLlm(messages), { input: ['text', 'image'] });
}

/** The context as a summariser is given it. */
function serialize(manager) {
  return serializeConversation(convertToLlm(manager.buildSessionContext().messages));
}

/** What `convertToLlm` makes of the context. */
function convert(manager) {
  return convertToLlm(manager.buildSessionContext().messages);
}

function findCut(manager, { startIndex, endIndex, keepRecentTokens }) {
  return findCutPoint(manager.getBranch(), startIndex, endIndex, keepRecentTokens);
}

async function runScript({ release: version, ops, cwd, dir }) {
  const Manager = await findManager(version);
  const manager = Manager.create(cwd, dir);
  const results = [];
  for (const [method, ...args] of ops) {
    results.push(manager[method](...args.map((arg) => resolveReferences(arg, results))));
  }
  const file = manager.getSessionFile();
  if (!existsSync(file)) return { results, text: null, context: null };
  const text = readFileSync(file, 'utf8');
  return { results, text, context: Manager.open(file).buildSessionContext() };
}

/** Says `early`, and then `late`, after the directory of the session was emptied, and removed where `removed`. */
function writeLate({ release, cwd, early, late, removed }) {
  return inTemporaryDirectory(async (dir) => {
    const home = join(dir, 'sessions');
    const manager = (await findManager(release)).create(cwd, home);
    const say = (message) => (manager.appendMessage ?? manager.saveMessage).call(manager, message);
    for (const message of early) say(message);
    const file = manager.getSessionFile();
    const isSaved = existsSync(file);
    rmSync(file, { force: true });
    if (removed) rmdirSync(home);
    try {
      for (const message of late) say(message);
    } catch (error) {
      return { isSaved, code: error.code, text: null };
    }
    return { isSaved, code: null, text: readFileSync(file, 'utf8') };
  });
}

async function findManager(version) {
  return (await import(new URL('session-manager.js', findCore(version)))).SessionManager;
}

/** Where a release keeps its session code. */
function findCore(version) {
  const name = version === '0.87.1' ? '@earendil-works/pi-coding-agent' : `pi-${version}`;
  return new URL(`node_modules/${name}/dist/core/`, import.meta.url);
}

/** `{"$ref": i}`, at any depth, stands for the result of operation i, or its id if it is an entry. */
function resolveReferences(value, results) {
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return results[value.$ref]?.id ?? results[value.$ref];
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, results));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveReferences(item, results)]),
  );
}
