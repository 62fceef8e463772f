import { toIso } from '../../session/jsonl/edit/json.ts';
import type { Turn } from '../../session/model/text/conversation.ts';
import { createSingleFile, type ExportDocument, type ExportFormat } from './format.ts';
import { stringify } from '../turns/stringify.ts';

/** Raised when a field changes its meaning or goes away; new fields leave it alone. */
const SCHEMA_VERSION = 1;

/** One JSON document: the facts of the session, and its turns, one a line. */
export const json: ExportFormat = {
  isText: true,
  branches: 'one-file',
  isSelective: true,
  showsSubagents: true,
  redacts: false,
  images: ['inline', 'extract', 'drop'],
  createParts: createSingleFile('.json', writeJson),
};

async function* writeJson(document: ExportDocument): AsyncGenerator<string> {
  const { summary, leaf, generator } = document;
  const { entryUsages: _, ...facts } = summary;
  const head = { schemaVersion: SCHEMA_VERSION, generator, leafId: leaf?.id ?? null };
  yield `${stringify(head).slice(0, -1)},"session":${stringify(facts)},"turns":[`;
  let separator = '\n';
  for await (const turn of document.turns()) {
    yield `${separator}${stringify(toResult(turn))}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

function toResult({ entry, time, label, edited, role, ...rest }: Turn): object {
  return {
    id: entry.id ?? null,
    parentId: entry.parentId,
    line: entry.line,
    timestamp: toIso(time) ?? null,
    role,
    ...(label !== undefined && { label }),
    ...(edited && { edited }),
    ...rest,
  };
}
