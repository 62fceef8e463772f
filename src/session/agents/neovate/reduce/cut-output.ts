import type { Entry } from '../../../model/entry.ts';
import { spliceObject } from '../../../jsonl/edit/splice.ts';
import { cutMember, cutTextBlock } from '../../../reduce/cut-block.ts';
import { changeParts } from '../../../reduce/change-parts.ts';

/** Cuts what the results of tools say to the model, and what they show to a person. */
export function cutOutput(bytes: Buffer, { role }: Entry, maxBytes: number): Buffer | undefined {
  if (role !== 'tool' || bytes.length <= maxBytes) return undefined;
  return changeParts(bytes, [['content']], (part) => cutResult(part, maxBytes));
}

function cutResult(part: Buffer, maxBytes: number): Buffer | undefined {
  if (part.length <= maxBytes) return undefined;
  const texts = changeParts(part, [['result', 'llmContent']], (text) =>
    cutTextBlock(text, maxBytes),
  );
  const edits = ['llmContent', 'returnDisplay'].flatMap((key) =>
    cutMember(part, ['result', key], maxBytes),
  );
  if (edits.length === 0) return texts;
  return spliceObject(texts ?? part, edits, { at: ['result'] });
}
