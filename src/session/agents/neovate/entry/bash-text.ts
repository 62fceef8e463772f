const INPUT = /^<bash-input>([^]*)<\/bash-input>$/;
const OUTPUT = /^<bash-(?:stdout|stderr)>([^]*)<\/bash-(?:stdout|stderr)>$/;
const FIELD = /^(Command|Directory|Stdout|Stderr|Error|Exit Code|Signal|Background PIDs): /;
const NOTHING: ReadonlySet<string> = new Set(['(empty)', '(none)', '']);

/** The command that a person typed after `!`; undefined for any other text. */
export function parseBashInput(text: string): string | undefined {
  return INPUT.exec(text)?.[1];
}

export interface BashOutput {
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | undefined;
}

/**
 * Parses the output of a command that the user ran: the block of named lines that Neovate's bash tool writes
 * (0.17.1). Undefined for any other text; what is not such a block is all output.
 */
export function parseBashOutput(text: string): BashOutput | undefined {
  const block = OUTPUT.exec(text)?.[1];
  if (block === undefined) return undefined;
  const fields = readFields(block);
  if (!fields.has('Command')) return { command: '', output: block, exitCode: undefined };
  const streams = ['Stdout', 'Stderr', 'Error'].map((name) => fields.get(name) ?? '');
  const code = Number(fields.get('Exit Code') || Number.NaN);
  return {
    command: fields.get('Command') ?? '',
    output: streams.filter((stream) => !NOTHING.has(stream.trim())).join('\n'),
    exitCode: Number.isInteger(code) ? code : undefined,
  };
}

/** A field continues until the next one begins; the first of a name counts. */
function readFields(block: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const line of block.split('\n')) {
    const name = FIELD.exec(line)?.[1];
    if (name !== undefined && !fields.has(name)) {
      fields.set(name, (lines = [line.slice(name.length + 2)]));
    } else lines?.push(line);
  }
  return new Map(
    [...fields].map(([name, all]) => [name, all.join('\n').replace(/(?<!\n)\n+$/, '')]),
  );
}
