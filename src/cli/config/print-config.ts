import { ExitCode } from '../../errors.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import type { Column } from '../../report/text/table.ts';
import type { AnyCommand, Context } from '../../commands/command.ts';
import type { ConfigLayer } from './config.ts';
import type { ConfigDocument, ConfigResult } from '../../commands/shared/output/documents.ts';
import { writeMachineReport, writeTable } from '../../commands/shared/output/output.ts';
import type { JsonReport } from '../../report/text/json.ts';
import type { OutputRequest } from '../../commands/shared/requests.ts';
import { splitNames } from '../../commands/values.ts';

const COMMAND_LINE = 'command line';
const DEFAULT = 'default';

export interface Resolved {
  readonly command: AnyCommand;
  readonly layers: readonly ConfigLayer[];
  /** The values from the command line, by option. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The values that apply, by option. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** `coppice <command> --print-config`: every option that has a value, and where it is from. */
export async function printConfig(resolved: Resolved, context: Context): Promise<ExitCode> {
  const results = listOptions(resolved);
  const report: JsonReport<ConfigDocument> = {
    command: resolved.command.name,
    results,
    summary: { options: results.length },
  };
  if (await writeMachineReport(report, toFormat(resolved.values), context)) return ExitCode.ok;
  const { home } = context;
  const columns: readonly Column<ConfigResult>[] = [
    { title: 'OPTION', cell: ({ option }) => option },
    { title: 'VALUE', shrinks: 'end', cell: ({ value }) => toPlainLine(formatValue(value)) },
    { title: 'FROM', cell: ({ from }) => formatPath(from, home) },
  ];
  await writeTable(results, columns, { color: undefined }, context);
  return ExitCode.ok;
}

/** The formats of findings are for findings: with these, the options are a table. */
function toFormat({
  json,
  format,
  fields,
}: Resolved['values']): Pick<OutputRequest, 'format' | 'fields'> {
  const name = json === true ? 'json' : format;
  return {
    format: name === 'json' || name === 'ndjson' ? name : 'table',
    fields: typeof fields === 'string' ? splitNames(fields) : undefined,
  };
}

function listOptions({ command, layers, given, values }: Resolved): readonly ConfigResult[] {
  return Object.keys(command.options).flatMap((option) => {
    const value = values[option];
    if (value === undefined) return [];
    const layer = layers.findLast((one) => Object.hasOwn(one.values, option));
    const isGiven = Object.hasOwn(given, option) && given[option] !== undefined;
    const sources = [...(layer ? [layer.path] : []), ...(isGiven ? [COMMAND_LINE] : [])];
    const adds = command.options[option]?.inConfig?.adds;
    const from = (adds ? sources.join(', ') : sources.at(-1)) || DEFAULT;
    return [{ option, value, from }];
  });
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
