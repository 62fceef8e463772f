import fc from 'fast-check';
import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import { SESSION_ID } from './healthy-session.ts';

type Kind =
  | 'user'
  | 'assistant'
  | 'call'
  | 'tool'
  | 'summary'
  | 'root'
  | 'title'
  | 'backup'
  | 'config';

interface Step {
  readonly kind: Kind;
  /** How far back in the file its parent is; 0: the message before. */
  readonly back: number;
}

const KINDS: readonly Kind[] = ['user', 'assistant', 'call', 'tool', 'summary', 'root'];
const ASIDE: readonly Kind[] = ['title', 'backup', 'config'];

/** Sessions that Neovate opens: any branches, roots, summaries, and lines of other types between. */
export const randomSession: fc.Arbitrary<readonly JsonObject[]> = fc
  .array(
    fc.record({
      kind: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...KINDS) },
        { weight: 1, arbitrary: fc.constantFrom(...ASIDE) },
      ),
      back: fc.oneof(fc.constant(0), fc.nat({ max: 6 })),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map(toLines)
  .filter((lines) => lines.some(({ type }) => type === 'message'));

function toLines(steps: readonly Step[]): readonly JsonObject[] {
  const uuids: string[] = [];
  return steps.map((step, index) => {
    const parent = uuids[uuids.length - 1 - step.back] ?? uuids.at(-1) ?? null;
    const line = toLine(step.kind, index, parent, uuids.at(-1) ?? 'none');
    if (typeof line['uuid'] === 'string') uuids.push(line['uuid']);
    return line;
  });
}

function toLine(kind: Kind, index: number, parent: string | null, last: string): JsonObject {
  const uuid = `u${index}`;
  const timestamp = new Date(1_700_000_000_000 + index * 1000).toISOString();
  const text = [{ type: 'text', text: `${kind} ${index}` }];
  const base = { parentUuid: parent, uuid, type: 'message', timestamp, sessionId: SESSION_ID };
  switch (kind) {
    case 'user':
      return { ...base, role: 'user', content: `user ${index}` };
    case 'assistant':
      return { ...base, role: 'assistant', content: text, model: 'a/b' };
    case 'call': {
      const call = { type: 'tool_use', id: `t${index}`, name: 'ls', input: {} };
      return { ...base, role: 'assistant', content: [...text, call], model: 'a/b' };
    }
    case 'tool': {
      const result = { llmContent: `said ${index}` };
      const part = {
        type: 'tool-result',
        toolCallId: `t${index}`,
        toolName: 'ls',
        input: {},
        result,
      };
      return { ...base, role: 'tool', content: [part] };
    }
    case 'root':
      return { ...base, parentUuid: null, role: 'user', content: text };
    case 'summary': {
      const uiContent = 'Chat history compacted successfully.';
      return { ...base, parentUuid: null, role: 'user', content: text, uiContent };
    }
    case 'title':
      return { type: 'custom-title', customTitle: `Title ${index}`, sessionId: SESSION_ID };
    case 'backup':
      return { type: 'snapshot', messageId: last, timestamp, trackedFileBackups: {} };
    case 'config':
      return { type: 'config', config: { approvalTools: [], summary: `Made ${index}` } };
  }
}
