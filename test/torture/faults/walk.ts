import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { findPathBefore } from '../../../src/session/jsonl/files/temp-file.ts';
import { setTimeout } from 'node:timers/promises';
import type { TestRun } from '../../memory-terminal.ts';
import { chooseCalls } from './choose-calls.ts';
import {
  type Call,
  type Fault,
  listOpen,
  startFaults,
  stopFaults,
  type Watch,
} from './fault-layer.mjs';
import type { FaultMode } from './modes.ts';
import {
  compare,
  type Files,
  type FileState,
  fill,
  isSame,
  readFiles,
  TEMPORARY,
} from './sandbox.ts';

/** A command that is to survive every fault. */
export interface Scenario {
  readonly name: string;
  /** What there is before. */
  readonly files: Files;
  readonly run: (root: string) => Promise<TestRun>;
  /** Names in what it writes that differ from run to run become the same. */
  readonly normalize?: (files: Files) => Files;
  /** What belongs to a session, and may stay where it was when the session is gone already. */
  readonly litter?: RegExp;
  /** For commands that need what another one has made: that one. */
  readonly prepare?: (root: string) => Promise<unknown>;
  /** Whether temporary files wait for the next command, since this is none. */
  readonly leavesTemporary?: boolean;
  /** Whether the end of the session may be torn, when not even taking it back works any more. */
  readonly appends?: boolean;
  /** Whether files are rewritten in steps: in between, lines of spaces stand for what was taken out. */
  readonly pads?: boolean;
  /** What fails in every run, since the world is so. */
  readonly always?: (call: Call) => Fault | undefined;
  /** What an undisturbed run after one that was disturbed may exit with, if not with 0. */
  readonly again?: readonly number[];
}

/** A run without any fault: what it is to come to, and how many calls it makes. */
export interface Undisturbed {
  readonly files: Files;
  readonly calls: readonly Call[];
}

export interface Disturbance {
  readonly call: Call;
  readonly run: TestRun;
  readonly files: Files;
  readonly open: readonly string[];
}

/** The id of a process that is no more: what it leaves behind, the next run may clear. */
const DEAD_PID = spawnSync(process.execPath, ['--version']).pid;

/** A scenario with everything there that it begins with. */
export async function begin(scenario: Scenario, root: string): Promise<Scenario> {
  if (!scenario.prepare) return scenario;
  fill(root, scenario.files);
  await scenario.prepare(root);
  return { ...scenario, files: readFiles(root) };
}

export async function runUndisturbed(scenario: Scenario, root: string): Promise<Undisturbed> {
  const calls: Call[] = [];
  fill(root, scenario.files);
  const onCall = (call: Call): Fault | undefined => {
    calls.push(call);
    return scenario.always?.(call);
  };
  startFaults({ root, onCall });
  const { exitCode, err } = await scenario.run(root);
  await settle();
  const open = stopFaults();
  if (exitCode !== 0 || open.length > 0) {
    throw new Error(
      `${scenario.name}, undisturbed: exit ${exitCode}, open: ${open.join(' ')}\n${err}`,
    );
  }
  return { files: read(scenario, root), calls };
}

/** Runs with a fault at the n-th call that the mode concerns; undefined if there are fewer. */
async function runDisturbed(
  scenario: Scenario,
  root: string,
  { fail, lasts }: Pick<FaultMode, 'fail' | 'lasts'>,
  n: number,
): Promise<Disturbance | undefined> {
  let concerned = 0;
  let hit: Call | undefined;
  const watched = await runWatched(scenario, root, (call) => {
    if (hit && !lasts) return undefined;
    const fault = fail(call);
    if (!fault || (!hit && (concerned += 1) < n)) return undefined;
    hit ??= call;
    return fault;
  });
  return hit && { call: hit, ...watched };
}

/** Runs from the beginning under a watch, as a process that will be no more. */
export async function runWatched(
  scenario: Scenario,
  root: string,
  onCall: Watch['onCall'],
  onDone?: Watch['onDone'],
): Promise<Omit<Disturbance, 'call'>> {
  fill(root, scenario.files);
  return runOn(scenario, root, onCall, onDone);
}

/** The same with what is there. */
export async function runOn(
  scenario: Scenario,
  root: string,
  onCall: Watch['onCall'],
  onDone?: Watch['onDone'],
): Promise<Omit<Disturbance, 'call'>> {
  const restorePid = pretendPid(DEAD_PID);
  const meet = (call: Call): Fault | undefined => onCall(call) ?? scenario.always?.(call);
  startFaults({ root, onCall: meet, ...(onDone && { onDone }) });
  const run = await scenario.run(root);
  await settle();
  const open = stopFaults();
  restorePid();
  return { run, files: read(scenario, root), open };
}

/** Streams that were given up close their files a moment later. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10_000 && listOpen().length > 0; turn += 1) await setTimeout(1);
}

function read({ normalize }: Scenario, root: string): Files {
  const files = readFiles(root);
  return normalize ? normalize(files) : files;
}

function pretendPid(pid: number): () => void {
  const own = Object.getOwnPropertyDescriptor(process, 'pid');
  Object.defineProperty(process, 'pid', { value: pid, configurable: true });
  return () => own && Object.defineProperty(process, 'pid', own);
}

/** Walks a mode over the calls that are chosen; what is wrong after each, in words. */
export async function walk(
  scenario: Scenario,
  root: string,
  mode: FaultMode,
  undisturbed: Undisturbed,
): Promise<{ readonly runs: number; readonly defects: readonly string[] }> {
  const defects: string[] = [];
  let runs = 0;
  const isConcerned = (call: Call): boolean => mode.fail(call) !== undefined;
  const name = `${scenario.name}, ${mode.name}`;
  for (const n of chooseCalls(undisturbed.calls, root, name, isConcerned)) {
    const disturbed = await runDisturbed(scenario, root, mode, n);
    if (!disturbed) break;
    runs += 1;
    const { call, run } = disturbed;
    const found = [
      ...judge(scenario, undisturbed.files, disturbed, mode.lasts),
      ...(await judgeNextRun(scenario, root, undisturbed)),
    ];
    const where = `${mode.name} at call ${call.number}, ${call.name} ${call.path} ${call.to}`;
    const end = `exit ${run.exitCode}, ${run.err.trim().split('\n').slice(0, 8).join(' | ')}`;
    defects.push(...found.map((one) => `${where}: ${one} (${end})`));
  }
  return { runs, defects };
}

const NOTHING: FileState = { text: '', mode: 0 };
const NORMAL_EXITS: ReadonlySet<number> = new Set([0, 2, 3]);

function judge(
  { files: before, appends, pads }: Scenario,
  after: Files,
  { run, files, open, call }: Disturbance,
  lasts: boolean,
): readonly string[] {
  const defects: string[] = [];
  for (const [found, state] of files) {
    // The next run gives it its name back.
    const path = (lasts ? findPathBefore(found) : undefined) ?? found;
    const isOld = isSame(state, before.get(path));
    if (isOld || isSame(state, after.get(path)) || isOnTheWay(path, state, after)) continue;
    if (appends && isBegun(state, lasts, before.get(path), after.get(path))) continue;
    if (pads && isPadded(state, before.get(path), after.get(path))) continue;
    if (lasts && appends && isTorn(state, before.get(path), after.get(path))) continue;
    if (!TEMPORARY.test(path)) defects.push(`${path} is neither old nor new`);
    else if (!lasts && !isAtCleanUp(call)) defects.push(`${path} is left`);
  }
  const lost = [...before.keys()].filter((path) => !files.has(path));
  const products = [...after.keys()].filter((path) => !before.has(path));
  for (const path of lost) {
    const instead = products.find((product) => !isSame(files.get(product), after.get(product)));
    const text = before.get(path)?.text;
    const isElsewhere = [...files.values()].some((state) => state.text === text);
    if (after.has(path)) defects.push(`${path} is gone`);
    else if (isElsewhere) continue;
    else if (instead !== undefined) defects.push(`${path} is gone, and there is no ${instead}`);
  }
  if (!NORMAL_EXITS.has(run.exitCode)) defects.push('a crash');
  const undone = compare(files, after);
  if (run.exitCode === 0 && undone.length > 0)
    defects.push(`not done, but exit 0: ${undone.join(' ')}`);
  if (run.exitCode !== 0 && (run.err + run.out).trim() === '') defects.push('no word of the cause');
  if (open.length > 0) defects.push(`still open: ${open.join(' ')}`);
  return defects;
}

/** New already, but still to be moved. */
function isOnTheWay(path: string, state: FileState, after: Files): boolean {
  return [...after].some(([to, one]) => basename(to) === basename(path) && isSame(one, state));
}

/** Every old line, and some of the new ones: an append that follows a migration. */
function isBegun(
  { text }: FileState,
  mayBeTorn: boolean,
  old = NOTHING,
  appended = NOTHING,
): boolean {
  const count = (lines: string): number => lines.split('\n').length;
  const isWhole = (mayBeTorn || text.endsWith('\n')) && count(text) >= count(old.text);
  return isWhole && appended.text.startsWith(text);
}

/** Old lines, or new ones, among which are all that are new, and lines of spaces. */
function isPadded({ text }: FileState, old = NOTHING, reduced = NOTHING): boolean {
  const [before, after] = [old, reduced].map((one) => new Set(one.text.split('\n')));
  const lines = new Set(text.split('\n').filter((line) => line.trim() !== ''));
  const isKnown = (line: string): boolean =>
    before?.has(line) === true || after?.has(line) === true;
  const kept = [...(after ?? [])].filter((line) => before?.has(line) && line !== '');
  return [...lines].every(isKnown) && kept.every((line) => lines.has(line));
}

/** The old text and the beginning of what was to be appended. */
function isTorn(state: FileState, old = NOTHING, appended = NOTHING): boolean {
  return state.text.startsWith(old.text) && appended.text.startsWith(state.text);
}

/** What is to be cleaned up stays where that is what fails. */
function isAtCleanUp({ name, path }: Call): boolean {
  return TEMPORARY.test(path) && /^(unlink|rm|access|close)$/.test(name);
}

/** The next run finishes the work, and leaves nothing behind. */
async function judgeNextRun(
  scenario: Scenario,
  root: string,
  { files }: Undisturbed,
): Promise<readonly string[]> {
  const [session = ''] = scenario.files.keys();
  const isRemoved = !readFiles(root).has(session);
  const torn = scenario.appends ? findTorn(scenario, read(scenario, root), files) : [];
  startFaults({ root, onCall: (call) => scenario.always?.(call) });
  const { exitCode, err } = await scenario.run(root);
  await settle();
  stopFaults();
  const found = read(scenario, root);
  const isWaiting = (one: string) => scenario.leavesTemporary === true && TEMPORARY.test(one);
  const isExcused = (one: string) => isRemoved && scenario.litter?.test(one);
  const wrong = compare(found, files).filter(
    (one) => !torn.includes(one) && !(isExcused(one) ?? false) && !isWaiting(one),
  );
  const allowed = [0, ...(scenario.again ?? [])];
  const defects = wrong.length > 0 ? [`the next run leaves ${wrong.join(' ')}`] : [];
  if (!allowed.includes(exitCode)) defects.push(`the next run: exit ${exitCode}, ${err}`);
  return defects;
}

function findTorn({ files: before }: Scenario, found: Files, after: Files): readonly string[] {
  return [...found].flatMap(([path, state]) => {
    const isWhole = isSame(state, before.get(path)) || isSame(state, after.get(path));
    const [old, appended] = [before.get(path), after.get(path)];
    const mayBe = isTorn(state, old, appended) || isBegun(state, true, old, appended);
    return !isWhole && mayBe ? [path] : [];
  });
}
