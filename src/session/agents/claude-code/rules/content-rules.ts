import type { CheckedSession, Place, Rule } from '../../../dialect/rule.ts';
import {
  getObject,
  getString,
  isArray,
  type JsonObject,
  type JsonValue,
  listObjects,
} from '../../../jsonl/edit/json.ts';
import { quote } from '../../../rules/wording.ts';
import { getBlocks, getMessage, isKnownLine } from '../format.ts';
import { mayHoldNul, parseLine } from '../../../jsonl/read/parse-line.ts';
import { hashLine } from '../../../jsonl/scanner/hash-line.ts';
import type { Members } from '../../../jsonl/scanner/plan.ts';
import { BLOCKS, checkLines, checkNodes, NODE } from './node-lines.ts';
import { isImageData } from '../../../model/text/image-block.ts';
import { formatNumber, formatCounted } from '../../../model/text/numbers.ts';
import { countPlace, type PlaceCounts, toUuidPlace } from '../../../rules/place.ts';

/** The largest image that the model accepts, in bytes of base64. */
const MAX_IMAGE = 5 * 1024 * 1024;
/** The members of a block that say what is wrong with an image, unless that is its size. */
const IMAGE: Members = { type: 'whole', source: { type: 'whole', data: 'base64' } };

/** Images that the model refuses, each time that it is asked. */
export const imageRefused: Rule = {
  id: 'image-refused',
  level: 'error',
  fixable: false,
  summary: 'an image in the conversation of Claude Code that the model refuses',
  help:
    'An image of more than 5 MiB, or one whose data is not base64, is sent again with every ' +
    'prompt. Each prompt fails with "API Error: 400", and the session cannot continue. Remove the ' +
    'image: `coppice compact --images extract` or `--images drop`.',
  reads: { ...NODE, message: { content: { ...IMAGE, content: IMAGE } } },
  check(report) {
    const found = new Map<number, string>();
    return {
      line: checkNodes((value, line) => {
        let images = findImages(value);
        if (images.length === 0) return;
        // An image may be too large only on a line that is.
        const whole = line.length > MAX_IMAGE ? parseLine(line) : undefined;
        if (whole?.kind === 'object') images = findImages(whole.value);
        const fault = images.flatMap((image) => findImageFault(image) ?? [])[0];
        if (fault !== undefined) found.set(line.offset, fault);
      }),
      session: (checked) => reportInContext(checked, found, report),
    };
  },
};

/** Lists the images that a person attached, and those that a tool gave. */
function findImages(value: JsonObject): readonly JsonObject[] {
  return getBlocks(value)
    .flatMap((block) => [block, ...listObjects(block['content'])])
    .filter(({ type }) => type === 'image');
}

function findImageFault(image: JsonObject): string | undefined {
  const source = getObject(image, 'source') ?? {};
  if (source['type'] !== 'base64') return undefined;
  const data = getString(source, 'data') ?? '';
  if (data.length > MAX_IMAGE) {
    return `an image of ${formatNumber(data.length)} bytes of base64: more than 5 MiB is refused`;
  }
  return isImageData(data) ? undefined : 'an image whose data is not base64';
}

/** NUL characters, which no request may hold. */
export const textNul: Rule = {
  id: 'text-nul',
  level: 'error',
  fixable: false,
  summary: 'a NUL character in the conversation of Claude Code',
  help:
    'A tool has printed a NUL byte, which is sent again with every prompt: the model answers "API ' +
    'Error: 400" each time. Remove it from the text of the message with an editor, which shows it ' +
    'as `\\u0000`, or cut the output: `coppice compact --tool-output <size>`.',
  reads: NODE,
  check(report) {
    const found = new Map<number, string>();
    return {
      line: checkNodes((value, line, content) => {
        if (!mayHoldNul(line, content)) return;
        const message = getMessage(value);
        if (message && hasNul(message['content'])) found.set(line.offset, 'a NUL character');
      }),
      session: (checked) => reportInContext(checked, found, report),
    };
  },
};

function hasNul(content: JsonValue | undefined): boolean {
  if (typeof content === 'string') return content.includes('\0');
  return listObjects(content).some(
    (block) => hasNul(block['text']) || hasNul(block['content']) || hasNul(block['thinking']),
  );
}

function reportInContext(
  { contexts }: CheckedSession,
  found: ReadonlyMap<number, string>,
  report: (place: Place, message: string) => void,
): void {
  if (found.size === 0) return;
  for (const entry of new Set(contexts.flat())) {
    const fault = found.get(entry.offset);
    if (fault !== undefined) report(entry, `holds ${fault}`);
  }
}

/** A line of a person or the model that says nothing. */
export const messageUnreadable: Rule = {
  id: 'message-unreadable',
  level: 'warning',
  fixable: false,
  summary: 'a line of Claude Code whose message cannot be read',
  help:
    'A line of a user or of the model holds its content in `message.content`, as a text or a list ' +
    'of blocks. Claude Code leaves out a line without that, and continues with the next. No ' +
    'release writes it; a wrong edit does.',
  reads: BLOCKS,
  check: (report) => ({
    line: checkNodes((value, line) => {
      if (value['type'] !== 'user' && value['type'] !== 'assistant') return;
      const content = getMessage(value)?.['content'];
      if (typeof content === 'string' || isArray(content)) return;
      report(toUuidPlace(line, value), 'holds no message that can be read');
    }),
  }),
};

/** Types that only a newer release knows, if any does. */
export const recordTypeUnknown: Rule = {
  id: 'record-type-unknown',
  level: 'info',
  fixable: false,
  summary: 'lines of Claude Code of an unknown type',
  help:
    'Claude Code skips lines of a type that it does not know. For an entry below such a line, the ' +
    'parent is missing, which `node-orphan` and `node-bridged` report. coppice keeps the line ' +
    'where it is. A newer release or another program wrote it.',
  reads: NODE,
  check: createKindCheck('type', (value) =>
    isKnownLine(value) ? NONE : [getString(value, 'type') ?? ''],
  ),
};

/** The attachments of 1.0.59 to 2.1.332. */
const ATTACHMENTS: ReadonlySet<string> = new Set(
  (
    'agent_listing_delta already_read_file auto_mode compact_file_reference ' +
    'critical_system_reminder date ' +
    'deferred_tools_delta deferred_tools_record diagnostics directory edited_image_file ' +
    'edited_text_file environment file hook_additional_context hook_blocking_error ' +
    'hook_cancelled hook_error_during_execution hook_non_blocking_error hook_stopped_continuation ' +
    'hook_success hook_system_message ide_opened_file instructions mcp_resource model ' +
    'nested_memory opened_file_in_ide output_style plan_mode plan_mode_exit plan_mode_reentry ' +
    'prompt_snapshot queued_command remote_session_change selected_lines_in_ide session_context ' +
    'skill_listing task_reminder task_status todo todo_reminder total_tokens_reminder ' +
    'ultramemory unknown_command_fallback'
  ).split(' '),
);

/** Attachments that a newer release has added. */
export const attachmentUnknown: Rule = {
  id: 'attachment-unknown',
  level: 'info',
  fixable: false,
  summary: 'attachments of Claude Code of an unknown kind',
  help:
    'An attachment is sent to the model beside a prompt. Claude Code sends one of an unknown kind ' +
    'as its `rendered` text, and not at all without that. A newer release wrote it; coppice keeps ' +
    'it where it is.',
  reads: { ...NODE, attachment: { type: 'whole' } },
  check: createKindCheck('attachment kind', (value) => {
    if (value['type'] !== 'attachment') return NONE;
    const kind = getString(getObject(value, 'attachment') ?? {}, 'type') ?? '';
    return ATTACHMENTS.has(kind) ? NONE : [kind];
  }),
};

const BLOCK_TYPES: ReadonlySet<string> = new Set(
  (
    'text image document thinking redacted_thinking tool_use tool_result server_tool_use ' +
    'web_search_tool_result web_fetch_tool_result code_execution_tool_result ' +
    'bash_code_execution_tool_result text_editor_code_execution_tool_result ' +
    'tool_search_tool_result mcp_tool_use mcp_tool_result container_upload search_result'
  ).split(' '),
);

/** Blocks that a newer release has added. */
export const blockUnknown: Rule = {
  id: 'block-unknown',
  level: 'info',
  fixable: false,
  summary: 'blocks in messages of Claude Code of an unknown type',
  help:
    'A message consists of blocks: texts, images, tool calls, results. Claude Code sends a block ' +
    'of an unknown type unchanged, and the model may refuse it. A newer release or another ' +
    'program wrote it.',
  reads: BLOCKS,
  check: createKindCheck('block type', (value) => {
    const types = getBlocks(value).flatMap((block) => getString(block, 'type') ?? []);
    return types.every((type) => BLOCK_TYPES.has(type))
      ? NONE
      : types.filter((type) => !BLOCK_TYPES.has(type));
  }),
};

const NONE: readonly string[] = [];

/** Reports each unknown kind once, with how many lines have it. */
function createKindCheck(
  what: string,
  listUnknown: (value: JsonObject) => readonly string[],
): Rule['check'] {
  return (report) => {
    const kinds: PlaceCounts = new Map();
    return {
      line: checkLines((value, line) => {
        const unknown = listUnknown(value);
        if (unknown.length === 0) return;
        const place = toUuidPlace(line, value);
        for (const kind of new Set(unknown)) countPlace(kinds, kind, place);
      }),
      session() {
        for (const [kind, { place, count }] of kinds) {
          const verb = count === 2 ? 'is' : 'are';
          const lines = count === 1 ? '' : `, as ${verb} ${formatCounted(count - 1, 'other line')}`;
          report(place, `is of the ${what} ${quote(kind)}${lines}`);
        }
      },
    };
  };
}

/** An id that stands for two different things. */
export const uuidRepeated: Rule = {
  id: 'uuid-repeated',
  level: 'warning',
  fixable: false,
  summary: 'a uuid that an earlier line of Claude Code has, with other content',
  help:
    'The last of them counts, with its content and its parent: the earlier line is no longer part ' +
    'of the conversation, and its children are attached to the later one. Files that were ' +
    'concatenated or merged look like this. Keep the right one, and remove the other.',
  reads: NODE,
  check(report) {
    const places = new Map<string, number>();
    const lines: number[] = [];
    const prints: number[] = [];
    return {
      line: checkNodes((value, line) => {
        const uuid = getString(value, 'uuid') ?? '';
        const print = hashLine(line);
        const earlier = places.get(uuid);
        if (earlier === undefined) {
          places.set(uuid, lines.push(line.number) - 1);
          prints.push(print);
        } else if (prints[earlier] !== print) {
          const where = `already on line ${formatNumber(lines[earlier] ?? 0)}, with other content`;
          report(toUuidPlace(line, value), `uuid ${quote(uuid)} is ${where}`);
        }
      }),
    };
  },
};
