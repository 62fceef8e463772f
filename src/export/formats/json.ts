import { toIso } from '../../session/jsonl/edit/json.ts';
import type { Turn } from '../../session/model/text/conversation.ts';
import {
  INNER_FACTS,
  type SessionSummary,
  sumSubagents,
  toSubagentResult,
} from '../../session/model/summary.ts';
import { fileOf, type ExportDocument, type ExportFormat } from './format.ts';
import { stringify } from '../turns/stringify.ts';

/** Raised when a field changes its meaning or goes away; new fields leave it alone. */
const SCHEMA_VERSION = 1;

const inner: ReadonlySet<string> = new Set(INNER_FACTS);

/** One JSON document: the facts of the session, and its turns, one per line. */
export const json: ExportFormat = {
  branches: 'one-file',
  isSelective: true,
  showsSubagents: true,
  redacts: false,
  images: ['inline', 'extract', 'drop'],
  createFile: fileOf('.json', writeJson),
};

async function* writeJson(document: ExportDocument): AsyncGenerator<string> {
  const { summary, leaf, generator } = document;
  const head = { schemaVersion: SCHEMA_VERSION, generator, leafId: leaf?.id ?? null };
  yield `${stringify(head).slice(0, -1)},"session":${stringify(toFacts(summary))},"turns":[`;
  let separator = '\n';
  for await (const turn of document.turns()) {
    yield `${separator}${stringify(toResult(turn))}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The facts of a session and its sub-agents, as a listing has them. */
function toFacts(summary: SessionSummary): object {
  const facts = Object.entries(summary).filter(([name]) => !inner.has(name));
  const { subagents } = summary;
  return {
    ...Object.fromEntries(facts),
    ...(subagents && {
      subagents: subagents.map(toSubagentResult),
      subagentUsage: sumSubagents(subagents),
    }),
  };
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
