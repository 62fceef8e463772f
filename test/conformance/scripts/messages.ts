import type { Json } from '../reference.ts';

export const MESSAGE_KINDS = [
  'user',
  'assistant',
  'toolResult',
  'system',
  'bash',
  'extension',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Images as agents write them, and as nobody should. */
const IMAGES: readonly { readonly data: string; readonly mimeType: string }[] = [
  { data: PIXEL, mimeType: 'image/png' },
  { data: '/9j/4AAQSkZJRg==', mimeType: 'image/jpeg' },
  // Longer as a word in its place than the shortest output that is cut.
  { data: 'PHN2Zy8+', mimeType: `image/${'x-'.repeat(80)}svg` },
  // These cannot be made again from the bytes.
  { data: 'aGk', mimeType: 'image/gif' },
  { data: 'aG\nk=', mimeType: 'image/webp' },
  { data: '', mimeType: 'image/png' },
  { data: PIXEL, mimeType: 'image/png; name="a b"' },
];

function toImage(pick: number): Json {
  return { type: 'image', ...IMAGES[pick % IMAGES.length] };
}

/** Short or long, and of characters of every width. */
function toOutput(text: string, pick: number): string {
  return `${pick} ${text}`.repeat([1, 20, 200][pick % 3] ?? 1);
}

/** Content blocks, most of them with an image. */
export function toBlocks(text: string, pick: number): Json {
  const blocks = [{ type: 'text', text: toOutput(text, pick) }, toImage(pick)];
  return pick % 4 === 0 ? blocks.slice(0, 1) : blocks;
}

/** A message as an agent would append it; `role` is how the release calls an extension's. */
export function toMessage(
  kind: MessageKind,
  { text, pick: timestamp, role }: { text: string; pick: number; role: string },
): Json {
  const blocks = toBlocks(text, timestamp);
  switch (kind) {
    case 'user':
      return { role: 'user', content: timestamp % 2 ? text : blocks, timestamp };
    case 'toolResult': {
      const call = { toolCallId: 'c1', toolName: 'bash', isError: false };
      const content = timestamp % 7 === 0 ? toOutput(text, timestamp) : blocks;
      return { role: 'toolResult', ...call, content, timestamp };
    }
    case 'system':
      return { role: 'system', content: text, sections: { rules: text }, timestamp };
    case 'bash': {
      const result = { exitCode: 0, cancelled: false, truncated: false };
      const output = toOutput(text, timestamp);
      return { role: 'bashExecution', command: 'ls', output, ...result, timestamp };
    }
    case 'extension':
      return { role, customType: 'note', content: blocks, display: true, timestamp };
    case 'assistant': {
      const model = {
        api: 'x',
        provider: 'acme',
        model: `oak-${timestamp % 3}`,
        stopReason: 'stop',
      };
      const content = [{ type: 'text', text: toOutput(text, timestamp) }];
      return { role: 'assistant', content, ...model, usage: { input: 1 }, timestamp };
    }
  }
}
