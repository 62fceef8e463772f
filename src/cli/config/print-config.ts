import { ExitCode } from '../../errors.ts';
import { escapeJson } from '../../report/text/escape-json.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import type { Column } from '../../report/text/table.ts';
import type { AnyCommand, Context } from '../../commands/command.ts';
import type { ConfigLayer } from './config.ts';
import { writeTable } from '../../commands/shared/output/output.ts';

const COMMAND_LINE = 'command line';
const DEFAULT = 'default';

/** The value of one option, and its source. */
export interface ConfigResult {
  readonly option: string;
  readonly value: unknown;
  /** `default`, `command line` or the path of a file; both, where the command line adds to a list of a file. */
  readonly from: string;
}

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
  const { terminal, home } = context;
  const { json, format } = resolved.values;
  if (json === true || format === 'json') {
    await terminal.out.write(`${escapeJson(JSON.stringify(results, null, 2))}\n`);
    return ExitCode.ok;
  }
  if (format === 'ndjson') {
    for (const one of results) await terminal.out.write(`${escapeJson(JSON.stringify(one))}\n`);
    return ExitCode.ok;
  }
  const columns: readonly Column<ConfigResult>[] = [
    { title: 'OPTION', cell: ({ option }) => option },
    { title: 'VALUE', shrinks: 'end', cell: ({ value }) => toPlainLine(formatValue(value)) },
    { title: 'FROM', cell: ({ from }) => formatPath(from, home) },
  ];
  await writeTable(results, columns, { color: undefined }, context);
  return ExitCode.ok;
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
