import {
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { pick } from '../../harness/pick.ts';
import { toZstd } from '../../zstd-frames.ts';
import { type AppServer, CodexError, type Thread } from './client.ts';

/** A thread as it was driven: its turns are those that it could be cut at. */
interface Driven {
  readonly id: string;
  turns: string[];
}

/** What a driven store must still hold afterwards. */
export interface Store {
  readonly threads: readonly Driven[];
  /** What was done, for whoever reads a failure. */
  readonly steps: readonly string[];
}

/**
 * Has the client make threads of a few turns each, with forks, reverts, rollbacks, compactions, names and
 * sub-agents: for the same name always in the same order.
 */
export async function driveStore(server: AppServer, name: string, count: number): Promise<Store> {
  const threads: Driven[] = [];
  const steps: string[] = [];
  for (let step = 0; step < count; step += 1) {
    const choose = (of: number, what: string): number => pick(of, `${name} ${step} ${what}`);
    const thread = threads[choose(threads.length, 'thread')];
    const act = thread === undefined ? 'start' : ACTS[choose(ACTS.length, 'act')];
    try {
      await take(act ?? 'turn', { server, threads, thread, choose, call: `call_${step}` });
      steps.push(`${act} ${thread ? threads.indexOf(thread) : ''}`);
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      steps.push(`${act} refused: ${error.message}`);
    }
  }
  return { threads, steps };
}

const ACTS = [
  'start',
  'turn',
  'turn',
  'turn',
  'tools',
  'tools',
  'fork',
  'fork at a turn',
  'revert',
  'compact',
  'name',
  'sub-agent',
] as const;

interface Step {
  readonly server: AppServer;
  readonly threads: Driven[];
  readonly thread: Driven | undefined;
  readonly choose: (of: number, what: string) => number;
  /** The id of its call: for the same name the same, whatever else runs. */
  readonly call: string;
}

async function take(act: (typeof ACTS)[number], step: Step): Promise<void> {
  const { server, threads, thread, choose } = step;
  if (act === 'start' || thread === undefined) {
    const historyMode = choose(3, 'mode') === 0 ? 'legacy' : 'paginated';
    const started = await server.call<{ thread: Thread }>('thread/start', {
      cwd: server.cwd,
      historyMode,
    });
    const made = { id: started.thread.id, turns: [] };
    threads.push(made);
    await runTurn(step, made, []);
    return;
  }
  const { id: threadId, turns } = thread;
  const at = choose(Math.max(1, turns.length), 'at');
  if (act === 'turn') await runTurn(step, thread, [[say('Done.')]]);
  else if (act === 'tools') await runTurn(step, thread, useTools(choose(3, 'tool'), step.call));
  else if (act === 'sub-agent')
    await runTurn(step, thread, spawnAgent(step.call, choose(2, 'inherits') === 0));
  else if (act === 'name') await server.call('thread/name/set', { threadId, name: 'Named' });
  else if (act === 'compact') await server.compact(threadId, [say('A summary of it all.')]);
  else if (act === 'revert') {
    await server.call('thread/revert', { threadId, beforeTurnId: turns[at] ?? '' });
    thread.turns = turns.slice(0, at);
  } else {
    const lastTurnId = turns[at] ?? '';
    const cut = act === 'fork' ? {} : { lastTurnId };
    const forked = await server.call<{ thread: Thread }>('thread/fork', { threadId, ...cut });
    const kept = act === 'fork' ? turns : turns.slice(0, at + 1);
    const made = { id: forked.thread.id, turns: [...kept] };
    threads.push(made);
    if (choose(3, 'goes on') > 0) await runTurn(step, made, []);
  }
}

async function runTurn(
  { server, threads }: Step,
  thread: Driven,
  replies: readonly (readonly JsonObject[])[],
): Promise<void> {
  const text = `Prompt ${thread.turns.length} of thread ${threads.indexOf(thread)}: ü 🎈`;
  const { id } = await server.turn(thread.id, text, replies);
  thread.turns.push(id);
}

function say(text: string): JsonObject {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
}

function useTools(kind: number, call: string): readonly (readonly JsonObject[])[] {
  const reasoning = {
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Looking' }],
    encrypted_content: 'opaque',
  };
  const command = JSON.stringify({ cmd: `echo ${'out '.repeat(20 * kind)}`, command: ['true'] });
  const used = {
    type: 'function_call',
    call_id: call,
    name: 'exec_command',
    arguments: kind === 1 ? 'not JSON' : command,
  };
  return [[reasoning, used], [say('I looked.')]];
}

/** The sub-agent answers with what comes last, or with a greeting. */
export function spawnAgent(id: string, inherits: boolean): readonly (readonly JsonObject[])[] {
  const call = {
    type: 'function_call',
    call_id: id,
    namespace: 'multi_agent_v1',
    name: 'spawn_agent',
    arguments: JSON.stringify({ message: 'Child task', fork_context: inherits }),
  };
  return [[call], [say('The child works.')], [say('So it does.')]];
}

/** Compresses one in three of the rollouts in a home, as a user may. */
export function compressSome(home: string, name: string): void {
  const sessions = join(home, 'sessions');
  const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).toSorted();
  const rollouts = files.filter((file) => file.endsWith('.jsonl'));
  for (const [at, file] of rollouts.entries()) {
    if (pick(3, `${name} compress ${at}`) > 0) continue;
    const path = join(sessions, file);
    const { atime, mtime } = statSync(path);
    writeFileSync(`${path}.tmp`, toZstd(readFileSync(path)));
    utimesSync(`${path}.tmp`, atime, mtime);
    renameSync(`${path}.tmp`, `${path}.zst`);
    unlinkSync(path);
  }
}
