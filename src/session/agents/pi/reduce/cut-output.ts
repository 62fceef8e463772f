import type { Entry } from '../../../model/entry.ts';
import { spliceObject } from '../../../jsonl/edit/splice.ts';
import { cutMember, cutTextBlock } from '../../../reduce/cut-block.ts';
import { changeBlocks } from './change-blocks.ts';

/** Cuts the text of a tool's result, or the output of a command that a person ran. */
export function cutOutput(bytes: Buffer, entry: Entry, maxBytes: number): Buffer | undefined {
  if (bytes.length <= maxBytes) return undefined;
  if (entry.role === 'bashExecution') return cutField(bytes, 'output', maxBytes);
  if (entry.role !== 'toolResult') return undefined;
  return (
    cutField(bytes, 'content', maxBytes) ??
    changeBlocks(bytes, (block) => cutTextBlock(block, maxBytes))
  );
}

function cutField(bytes: Buffer, key: string, maxBytes: number): Buffer | undefined {
  const edits = cutMember(bytes, ['message', key], maxBytes);
  return edits.length === 0 ? undefined : spliceObject(bytes, edits, { at: ['message'] });
}
