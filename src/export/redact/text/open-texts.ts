import { ESCAPE, resolve } from './escapes.ts';
import type { Around, View } from './view.ts';

/** Texts of several lines within a line. */
interface Within {
  readonly beginning: RegExp;
  readonly end: RegExp;
  readonly around: Around;
}

const BELOW: Around = { before: 0, behind: 12 };
/** A table in a string or in an element has more rows. */
const FAR_BELOW: Around = { before: 0, behind: 100 };

/** A string of JSON or a program, a parameter of an address, JSON in JSON, an element of a page: their escapes are resolved. */
const ESCAPED: readonly Within[] = [
  {
    beginning:
      /"(?<=(?:[\s=(,:[{]|^)[$A-Za-z]?")(?=(?:[^"\\\n]|\\[^n\n]){0,200}\\n)|=(?<=(?<![\w.-])[\w.-]{1,40}=)(?=[^\s&]{0,200}%0[ADad])/gm,
    end: /(?<!\\)"(?=[ \t,;}\])|>&.]|$)/gm,
    around: BELOW,
  },
  {
    beginning:
      /\\"(?<=(?:(?<!\\)\\":|[[,])[ \t]{0,8}\\")(?=(?:[^"\\\n]|\\\\[^n\n\\]|\\\\\\[^\n\\]){0,200}\\\\n)/g,
    end: /(?<!\\)\\"(?=[ \t]{0,4}(?:[,}\]]|$))/gm,
    around: BELOW,
  },
  {
    beginning: /'(?<=(?:[\s=(,:[{]|^)[$A-Za-z]?')(?=(?:[^'\\\n]|\\[^n\n]){0,200}\\n)/gm,
    end: /(?<!\\)'(?=[ \t,;}\])|>&.]|$)/gm,
    around: BELOW,
  },
  {
    beginning: /<(?:pre|code|textarea)(?:[ \t][^<>\n]{0,100})?>(?=[^<\n]{1,300}\n)/g,
    end: /<\/(?:pre|code|textarea)>/g,
    around: BELOW,
  },
];

/** The elements that agents put around an output, a file or a message, and strings of a shell or a program. */
const WRITTEN: readonly Within[] = [
  {
    beginning:
      /<(?:bash-(?:stdout|stderr|input)|local-command-std(?:out|err)|command-args|std(?:out|err)|(?:tool_|function_)?(?:output|result|error)s?|tool_use_error|user_(?:instructions|shell_command)|system-reminder|(?:file|document)(?:_contents?)?|content|context|response|logs?)(?:[ \t][^<>\n]{0,200})?>(?:<!\[CDATA\[)?/g,
    end: /(?:\]\]>)?<\/(?:bash-(?:stdout|stderr|input)|local-command-std(?:out|err)|command-args|std(?:out|err)|(?:tool_|function_)?(?:output|result|error)s?|tool_use_error|user_(?:instructions|shell_command)|system-reminder|(?:file|document)(?:_contents?)?|content|context|response|logs?)>/g,
    around: FAR_BELOW,
  },
  {
    beginning:
      /'(?<=(?:(?<![\w-])(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4})?(?:["']?%s(?:\\n)?["']?[ \t]{1,4})?|\w[ \t]?=[ \t]?)')(?=[^'\n]{1,250}\n)/g,
    end: /'(?=[ \t]{0,4}(?:[|>;&)",]|$))/gm,
    around: FAR_BELOW,
  },
  {
    beginning:
      /"(?<=(?:(?<![\w-])(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4})?(?:["']?%s(?:\\n)?["']?[ \t]{1,4})?|\w[ \t]?=[ \t]?)")(?=(?:[^"\\\n]|\\[^\n]){1,250}\n)/g,
    end: /(?<!\\)"(?=[ \t]{0,4}(?:[|>;&)',]|$))/gm,
    around: FAR_BELOW,
  },
  {
    beginning: /`(?<=(?:[=(,:]|return)[ \t]{0,4}`)(?=[^`\n]{1,250}\n)/g,
    end: /`(?=[ \t]{0,4}(?:[;,)\]}.]|$))/gm,
    around: FAR_BELOW,
  },
  {
    beginning: /(?:"""|''')(?<=[=(,:][ \t]{0,4}[A-Za-z]{0,2}.{3})\\?(?=[^"'\n][^\n]{0,250}\n|\n)/g,
    end: /"""|'''/g,
    around: FAR_BELOW,
  },
];

/** Gives lines of their own to texts within a line. */
export function* openTexts(view: View): Generator<View> {
  for (const within of ESCAPED) {
    const texts = open(view, within);
    if (texts) yield resolveAll(texts);
  }
  for (const within of WRITTEN) {
    const texts = open(view, within);
    if (!texts) continue;
    yield texts;
    const resolved = resolveAll(texts);
    if (resolved !== texts) yield resolved;
  }
}

function open(view: View, { beginning, end, around }: Within): View | undefined {
  const texts = view.pickLines(beginning, around)?.replace(beginning, () => '\n');
  return texts?.replace(end, () => '\n') ?? texts;
}

function resolveAll(texts: View): View {
  return texts.replace(ESCAPE, resolve) ?? texts;
}
