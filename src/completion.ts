import type { AnyCommand, Context } from './commands/command.ts';
import { UsageError } from './errors.ts';
import { createParser } from './parser.ts';

/** What a shell asks, followed by the words of its line, the program's own name first. */
export const COMPLETE = '--get-yargs-completions';

// Not `compgen -W`, which expands the words: a file's name would be a command to run.
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

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
]);

/** A script that makes a shell ask coppice. Unless it is named, the shell is the person's own. */
export function getCompletionScript(
  shell: string | undefined,
  { env }: Pick<Context, 'env'>,
): string {
  const own = [...SCRIPTS.keys()].find((name) => env['SHELL']?.endsWith(`/${name}`));
  const script = SCRIPTS.get(shell ?? own ?? 'bash');
  if (script !== undefined) return script;
  throw new UsageError(`completion ${shell}: there are ${[...SCRIPTS.keys()].join(', ')}`);
}

/**
 * What the last of the words could become: a command, an option, a choice, or the id of a session.
 * Nothing, where a shell knows better: then it completes names of files.
 */
export async function completeWords(
  words: readonly string[],
  command: AnyCommand | undefined,
  context: Context,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  const known = await askParser(words, command);
  const offers = known.filter((offer) => offer.startsWith(current) && isWanted(offer, current));
  if (!command || offers.length > 0 || current.startsWith('-')) return offers;
  if (takesArgument(words.at(-2), command)) return [];
  const { completeIds } = await import('./commands/complete-ids.ts');
  return completeIds(current, context);
}

/** What yargs knows; its `getCompletion` never answers about the options of a command. */
async function askParser(
  words: readonly string[],
  command: AnyCommand | undefined,
): Promise<readonly string[]> {
  const parser = createParser({ width: 100, command });
  let output = '';
  await parser.parseAsync([COMPLETE, ...words], {}, (_error, _argv, text) => {
    output = text;
  });
  return output.split('\n');
}

/** Before anything is typed, options are in the way of what is likely to come. */
function isWanted(offer: string, current: string): boolean {
  return current.startsWith('-') || !offer.startsWith('-');
}

function takesArgument(word: string | undefined, { options }: AnyCommand): boolean {
  const name = word?.startsWith('--') ? word.slice(2) : undefined;
  const spec = name !== undefined && Object.hasOwn(options, name) ? options[name] : undefined;
  return spec !== undefined && spec.type !== 'boolean';
}
