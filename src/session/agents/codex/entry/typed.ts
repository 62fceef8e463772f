import {
  getObject,
  getString,
  isArray,
  type JsonObject,
  listObjects,
  listTexts,
} from '../../../jsonl/edit/json.ts';

/** The beginning of the text by which a hook has the client go on. */
const HOOK_PROMPT = '<hook_prompt ';

/** The beginning of the text by which the client gives a thread what a review has found. */
const REVIEW = '<user_action>';

/**
 * The beginnings of text that the client puts into messages of the role `user`. Releases before 0.145 mark it
 * in no other way.
 */
const HARNESS_PREFIXES = [
  '<environment_context>',
  '# AGENTS.md instructions',
  '<user_instructions>',
  '<skill',
  '<turn_aborted>',
  '<user_shell_command>',
  REVIEW,
  '<subagent_notification>',
  '<model_switch>',
  HOOK_PROMPT,
] as const;

/** The parts of a message, whatever its role. */
export function getContent(item: JsonObject): readonly JsonObject[] {
  const { content } = item;
  return listObjects(content);
}

/** The text of a message, its parts joined as they are. */
export function getText(item: JsonObject): string {
  return getContent(item)
    .map((part) => getString(part, 'text') ?? '')
    .join('');
}

/** The member of a message in which the client says where the parts of it come from. It is not sent. */
export const PASSTHROUGH = 'internal_chat_message_metadata_passthrough';

/** Returns whether a person typed a message of the role `user`: the client writes some by itself. */
export function isTyped(item: JsonObject): boolean {
  if (item['type'] !== 'message' || item['role'] !== 'user') return false;
  const kinds = getObject(item, PASSTHROUGH)?.['content_item_kinds'];
  if (isArray(kinds)) return kinds.some((kind) => isUserKind(kind));
  const text = getText(item).trimStart();
  return !HARNESS_PREFIXES.some((prefix) => text.startsWith(prefix));
}

/** Returns whether an item is the text by which a hook has the client go on: people are shown it. */
export function isHookPrompt(item: JsonObject): boolean {
  return isWritten(item, HOOK_PROMPT);
}

/** Returns whether an item is what a review has found: a compaction by the client keeps it as it keeps a prompt. */
export function isReview(item: JsonObject): boolean {
  return isWritten(item, REVIEW);
}

function isWritten(item: JsonObject, beginning: string): boolean {
  if (item['type'] !== 'message' || item['role'] !== 'user') return false;
  return getText(item).trimStart().startsWith(beginning);
}

/**
 * Returns whether a line is the answer to the client's own request for a summary. People are shown the compaction, and
 * the model is sent what that holds.
 */
export function isCompactionOutput(value: JsonObject): boolean {
  return getObject(value, 'metadata')?.['compaction_output'] === true;
}

function isUserKind(kind: unknown): boolean {
  return typeof kind === 'string' && kind.startsWith('user.');
}

const CWD = /<cwd>([^<]{1,4096})<\/cwd>/;

// Releases before 0.30 or so said it in words.
const CWD_IN_WORDS = /Current working directory: ([^\n]{1,4096})/;

/** Lists of directories that stand beside a working directory: those that the user added are in them. */
export const ROOTS = ['runtime_workspace_roots', 'workspace_roots'] as const;

/** Older releases record a directory that the user added as one that may be written to: 0.100.0 does. */
export const WRITABLE_ROOTS = { policy: 'sandbox_policy', roots: 'writable_roots' } as const;

// The client adds this one by itself.
const MEMORIES = /[\\/]\.codex[\\/]memories[\\/]?$/;

/** Lists the working directories that an object names: a user may have added some to that of the thread. */
export function listDirectories(holder: JsonObject): readonly string[] {
  const writable = getObject(holder, WRITABLE_ROOTS.policy)?.[WRITABLE_ROOTS.roots];
  const roots = [...ROOTS.map((key) => holder[key]), writable].flatMap(listTexts);
  return [...listTexts(holder['cwd']), ...roots.filter((root) => !MEMORIES.test(root))];
}

/** The working directory, which the client sent to the model with its surroundings in a message. */
export function readCwd(item: JsonObject): string | undefined {
  if (item['type'] !== 'message') return undefined;
  const text = getText(item);
  if (!text.includes('<environment_context>')) return undefined;
  return (CWD.exec(text) ?? CWD_IN_WORDS.exec(text))?.[1]?.trim();
}
