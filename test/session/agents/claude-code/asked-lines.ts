import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import {
  assistant,
  boundary,
  call,
  result,
  SESSION_ID,
  summary,
  text,
  toNode,
  user,
} from './healthy-session.ts';

/** A small session, and what the real 2.1.332 sends of it: `u` and `a`, a text for each block. */
export interface Asked {
  readonly what: string;
  readonly lines: readonly JsonObject[];
  readonly sent: readonly string[];
}

export const OTHER = 'claude-sonnet-4-5';
export const lastPrompt = (leafUuid: string, more: JsonObject = {}): JsonObject => ({
  type: 'last-prompt',
  leafUuid,
  ...more,
  sessionId: SESSION_ID,
});
export const say = (uuid: string, parent: string | null, seconds: number): JsonObject =>
  toNode(uuid, parent, seconds, user(uuid));
export const answer = (uuid: string, parent: string | null, seconds: number): JsonObject =>
  toNode(uuid, parent, seconds, assistant(`msg_${uuid}`, text(uuid)));

export const talk = [
  say('n1', null, 1),
  answer('n2', 'n1', 2),
  say('n3', 'n2', 3),
  answer('n4', 'n3', 4),
];
export const kept = {
  preservedMessages: { anchorUuid: 's', uuids: ['n3', 'n4'], allUuids: ['n3', 'n4'] },
};
export const compacted = [
  ...talk,
  toNode('b', null, 6, boundary(kept)),
  toNode('s', 'b', 7, summary),
  say('n5', 's', 8),
  answer('n6', 'n5', 9),
  answer('n7', 'n5', 30),
];
export const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its " +
  'outcome is unknown. Check whether it took effect before relying on it or running it again.]';
export const SUMMARY = 'This session is being continued.\n';
export const printed = { type: 'system', subtype: 'local_command', content: 'a note' };
export const MODEL = 'claude-opus-5-5';
export const failed = (model: string): JsonObject => ({
  ...assistant('e', text('API Error: 500'), model),
  isApiErrorMessage: true,
});
export const HUMAN = { origin: { kind: 'human' }, humanTurn: true };
export const queued = (
  uuid: string,
  parent: string,
  seconds: number,
  more: JsonObject,
): JsonObject => {
  const attachment = { type: 'queued_command', prompt: 'typed', commandMode: 'prompt', ...more };
  return toNode(uuid, parent, seconds, { type: 'attachment', attachment });
};
export const QUEUED =
  'The user sent a new message while you were working:\ntyped\n\n' +
  'This is how Claude Code surfaces messages the user sends mid-turn — within the running turn, ' +
  'often alongside the next tool result, rather than as a separate conversation turn. ' +
  'Address the message above as you continue this turn.';
export const MISSING = '[Tool result missing due to internal error]';
export const returned = (uuid: string, parent: string | null, id: string): JsonObject =>
  toNode(uuid, parent, Number(uuid.slice(1)), user([result(id)]));
export const calls = (uuid: string, parent: string, id: string, model?: string) =>
  toNode(uuid, parent, Number(uuid.slice(1)), assistant(`m_${id.slice(0, 1)}`, call(id), model));
export const gives = (uuid: string, parent: string, id: string, words: string) =>
  toNode(uuid, parent, Number(uuid.slice(1)), user([result(id, words)]));
export const typed = (uuid: string, parent: string) =>
  queued(uuid, parent, Number(uuid.slice(1)), {});
export const twoCalls = [
  say('n1', null, 1),
  toNode('n2', 'n1', 2, assistant('m1', call('c1'))),
  toNode('n3', 'n2', 3, assistant('m1', call('c2'))),
  returned('n4', 'n2', 'c1'),
];
export const KEPT = [`u ${SUMMARY} + n3`, 'a n4', 'u n5'];
export const TALK = ['u n1', 'a n2', 'u n3', 'a n4'];
export const EMPTY: JsonObject = {
  type: 'assistant',
  message: { id: 'e', type: 'message', role: 'assistant', model: MODEL, content: [] },
};
