import type { AnyCommand, Context, OptionSpec, OptionSpecs } from '../commands/command.ts';
import { commands } from '../commands/index.ts';
import { configOptions } from '../commands/shared/options.ts';
import { UsageError } from '../errors.ts';
import { toPlainLine } from '../report/text/escape.ts';
import { findOption } from './option-table.ts';
import { readOwnFields } from './result-fields.ts';
import { completeParts } from '../commands/values.ts';

/**
 * The option by which a shell asks for completions; the words of its line follow, the program's name first.
 */
export const COMPLETE = '--get-yargs-completions';

// The script uses no `compgen -W`, which expands the words: a file's name would be a command to run.
const BASH = `# coppice completion bash >> ~/.bashrc
_coppice() {
  local offer
  COMPREPLY=()
  while IFS= read -r offer; do
    if [[ -n $offer ]]; then COMPREPLY+=("$offer"); fi
  done <<< "$(SHELL=bash coppice ${COMPLETE} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)"
}
complete -o bashdefault -o default -F _coppice coppice
`;

const ZSH = `#compdef coppice
# coppice completion zsh > "\${fpath[1]}/_coppice"
_coppice() {
  local -a found
  found=(\${(f)"$(SHELL=zsh coppice ${COMPLETE} "\${(@)words[1,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then _describe -V coppice found; else _files; fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _coppice "$@"; else compdef _coppice coppice; fi
`;

const FISH = `# coppice completion fish > ~/.config/fish/completions/coppice.fish
function __coppice_complete
  SHELL=fish coppice ${COMPLETE} (commandline -opc) (commandline -ct) 2>/dev/null
end
complete -c coppice -k -a '(__coppice_complete)'
`;

// PowerShell before 7.3 leaves out a word that is empty, unless it is quoted.
const POWERSHELL = `# coppice completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName coppice -ScriptBlock {
  param($word, $line, $cursor)
  $words = @($line.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { "$_" })
  if ($word -eq '') { $words += if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' } }
  $shell = $env:SHELL
  $env:SHELL = 'powershell'
  try { $offers = @(coppice ${COMPLETE} @words 2>$null) } finally { $env:SHELL = $shell }
  foreach ($offer in $offers) {
    $text, $about = $offer -split "\`t", 2
    if (-not $about) { $about = $text }
    if ($text) { [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $about) }
  }
}
`;

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
  ['powershell', POWERSHELL],
]);

/**
 * A script that makes a shell ask coppice. Unless it is named, the shell is the person's own.
 * @throws UsageError for words other than the name of one shell.
 */
export function getCompletionScript(
  [shell, ...others]: readonly string[],
  { env }: Pick<Context, 'env'>,
): string {
  if (others.length > 0) throw new UsageError(`completion ${shell} ${others[0]}: name one shell`);
  const own = [...SCRIPTS.keys()].find((name) => env['SHELL']?.endsWith(`/${name}`));
  // Windows has no SHELL, but where one of POSIX was started.
  const usual = env['SHELL'] === undefined && env['PSModulePath'] ? 'powershell' : 'bash';
  const script = SCRIPTS.get(shell ?? own ?? usual);
  if (script !== undefined) return script;
  throw new UsageError(
    `completion ${shell}: unknown shell; use one of ${[...SCRIPTS.keys()].join(', ')}`,
  );
}

/** One that a shell may show: what to insert, and what it is. */
interface Offer {
  readonly text: string;
  readonly about?: string | undefined;
}

/**
 * Completes the last word: a command, an option, a value, or the id of a session. Returns nothing where the
 * shell completes names of files.
 */
export async function completeWords(
  words: readonly string[],
  command: AnyCommand | undefined,
  context: Context,
): Promise<readonly string[]> {
  const shell = context.env['SHELL'] ?? '';
  const joined = shell.endsWith('bash') ? joinAtEquals(words) : words;
  const current = joined.at(-1) ?? '';
  const offers = await findOffers(joined, current, command, context);
  // A shell that splits a word at its `=` replaces only what follows.
  const given = joined === words ? 0 : current.lastIndexOf('=') + 1;
  return offers
    .filter(({ text }) => text.startsWith(current))
    .map(({ text, about }) => formatOffer({ text: text.slice(given), about }, shell));
}

function formatOffer({ text, about }: Offer, shell: string): string {
  if (about === undefined || about === '') return text;
  if (/fish$|powershell$/.test(shell)) return `${text}\t${toPlainLine(about)}`;
  return shell.endsWith('zsh') ? `${text.replaceAll(':', '\\:')}:${toPlainLine(about)}` : text;
}

/** Bash has `--sort=si` as three words. */
function joinAtEquals(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const isJoined = word === '=' || words[index - 1] === '=';
    const last = joined.at(-1);
    if (isJoined && last !== undefined) joined[joined.length - 1] = last + word;
    else joined.push(word);
  }
  return joined;
}

async function findOffers(
  words: readonly string[],
  current: string,
  command: AnyCommand | undefined,
  context: Context,
): Promise<readonly Offer[]> {
  const previous = words.at(-2) ?? '';
  if (!command) return completeCommand(previous, current);
  const options = listOptions(words, command);
  const [, assigned] = /^--([\w-]+)=/.exec(current) ?? [];
  if (assigned !== undefined) {
    const begun = current.slice(assigned.length + 3);
    const values = listValues(findOption(assigned, options), begun);
    return values.map((value) => ({ text: `--${assigned}=${value}` }));
  }
  const spec = findGiven(previous, options);
  if (takesValue(spec)) return toOffers(listValues(spec, current));
  if (current.startsWith('-')) return optionOffers(options, current);
  const { completeIds } = await import('./complete-ids.ts');
  return completeIds(current, context);
}

function commandOffers(): readonly Offer[] {
  const own = commands.map(({ name, summary }) => ({ text: name, about: summary }));
  return [...own, { text: 'help', about: 'Show the page of a command' }, { text: 'completion' }];
}

/** Completes a command, which may come after options, or the argument of one that has no table of options. */
async function completeCommand(previous: string, current: string): Promise<readonly Offer[]> {
  if (previous === 'completion') return toOffers([...SCRIPTS.keys()]);
  if (current.startsWith('-')) return toOffers(['--help', '--version']);
  if (!previous.startsWith('-')) return commandOffers();
  const all = await Promise.all(commands.map(({ load }) => load()));
  const isValue = all.some(({ options }) => takesValue(findGiven(previous, options)));
  return isValue ? [] : commandOffers();
}

function optionOffers(options: OptionSpecs, current: string): readonly Offer[] {
  const shown = Object.entries(options);
  // Each of the others may be on in a configuration file.
  if (current.startsWith('--no-')) {
    const flags = shown.filter(([, { type }]) => type === 'boolean');
    return [
      ...flags.map(([name, { describe }]) => ({ text: `--no-${name}`, about: describe })),
      ...toOffers(['--no-config']),
    ];
  }
  const own = shown.map(([name, { describe, default: usual }]) => ({
    text: usual === true ? `--no-${name}` : `--${name}`,
    about: describe,
  }));
  return [...own, ...toOffers(['--no-config', '--help', '--version'])];
}

/** Lists the options of a command, with the fields of its results for the options given so far. */
function listOptions(words: readonly string[], command: AnyCommand): OptionSpecs {
  const given = words.flatMap((word, at): readonly (readonly [string, unknown])[] => {
    const [, name, inWord] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) return [];
    return [[name, takesValue(command.options[name]) ? (inWord ?? words[at + 1]) : true]];
  });
  const values = Object.fromEntries(given);
  const { fields, ...options }: OptionSpecs = { ...command.options, ...configOptions };
  const parts = fields && readOwnFields(command, values);
  return fields && parts ? { ...options, fields: { ...fields, parts } } : options;
}

/** Finds the option that a word gives, without a value in the same word. */
function findGiven(word: string, options: OptionSpecs): OptionSpec | undefined {
  return word.startsWith('-') ? findOption(word.replace(/^--?/, ''), options) : undefined;
}

function takesValue(spec: OptionSpec | undefined): boolean {
  return spec !== undefined && spec.type !== 'boolean';
}

function listValues(spec: OptionSpec | undefined, begun: string): readonly string[] {
  if (spec?.parts) return completeParts(begun, spec.parts);
  return spec?.choices?.map(String) ?? [];
}

function toOffers(texts: readonly string[]): readonly Offer[] {
  return texts.map((text) => ({ text }));
}
