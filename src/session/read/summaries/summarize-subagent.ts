import type { SubagentDialect, SubagentFacts } from '../../dialect/surroundings/subagents.ts';
import type { LineSkimmer } from '../../jsonl/read/line-splitter.ts';
import { parseLine } from '../../jsonl/read/parse-line.ts';
import { visitReduced } from '../../jsonl/scanner/reduced-lines.ts';
import { readLines, type ReadLinesOptions } from '../../jsonl/read/read-lines.ts';

/**
 * Reads the file of a sub-agent once, and keeps what a listing needs.
 * @throws FileError if it cannot be read.
 */
export async function summarizeSubagent(
  path: string,
  dialect: SubagentDialect,
  options: { readonly usage: boolean } & Pick<ReadLinesOptions, 'signal'>,
): Promise<SubagentFacts> {
  const fold = dialect.createFold(options);
  const visit: Parameters<typeof readLines>[1] = (line) => fold.visit(line, parseLine(line));
  const skim: LineSkimmer = (...slice) => visitReduced(fold, ...slice);
  const stamp = await readLines(path, visit, { signal: options.signal, skim });
  return fold.finish({ path, stamp });
}
