import { isJumble, REGEXP } from './expressions.ts';
import { looksRandom } from './random-words.ts';

/** Opens a variable, a template, a format, a list, a mark of YAML or of a decorator. */
const SIGN = /^[$<{[%*@(!]/;
/** Two signs of one kind, or the name of a variable, a format or a parameter. */
const REFERENCE =
  /^(?:\$(?:[({[@*$]|\d(?!\d)|[A-Za-z_]\w*(?:[^\w!#%^~+*]|$))|%(?:[({%]|\d\$|[\dA-Fa-f]{2}|\w+%|[\d.]{0,4}[A-Za-z]{1,2}(?![A-Za-z\d]))|[*!]{2}|[*!@][A-Za-z_]*(?:$|[({/.:])|@[A-Za-z_-]{1,60}\d$)/;
const BRACKET = /^[<{[(]/;
/** A regular expression of a program: `/^[a-z]+$/`. */
const PATTERN = /^\/(?:\^|\\[AbBdDsSwW]|\[[\^\w\\]|\([?^\w\\[])/;
/** The scheme of a password in a directory: `{PLAIN}value`. */
const SCHEME = /^\{(?:plain|clear(?:text)?|noop|s?sha\d{0,3}|smd5|md5|crypt|bcrypt|pbkdf2)\}./i;

/** The places that a secret comes from, also for a build of Docker, requests to put one there, and marks for nothing. */
const FOREIGN =
  /^(?:--[a-z](?![\w-]{0,60}[!#$%^&*@~(])|process\.env|import\.meta|(?:env|config|settings|any|new)(?![\w-]|[!#$^*@~](?![({[])[^]*\d)|os\.|self\.|this\.|req\.|args\.|options\.|props\.|secrets?\.|vault:|projects\/[\w-]{1,60}\/secrets\/|your(?![\d!@#$%^&*])|my[-_]|example|change[-_]?me|xxx|\.\.\.|redacted|basic$|bearer$|digest$|id=[a-z_-]+\d?(?:,|$)|type=(?:env|file)(?:,|$)|[a-z]{2,5}-(?:[a-z]{2,5}-)?$)/i;
/** Types, literals and orders, and names in a program that begin so. */
const WORD =
  /^(?:null(?:able|ish|ptr)?|undefined|true|false|none|non_?empty|nil(?:able)?|string(?:ify)?|number|boolean|bool|strict(?=str|int|bool|bytes)|str|integer|interface|int|bytes|buffer|object|unknown|void|never|optional(?:ly)?|required|function|async|await|typeof|replaced?|insert(?:ed)?|todo|struct)(?<rest>[^]*)$/i;
/** A word may begin as one of them does: `strawberry`, `internet`, but not `stringValue` and `numbers`. */
const LONGER = /^(?!s(?![a-z]))[a-z]/;
/** A number or a sign follows: `Strong77!`, `intelX5`, `str0ng`, `never1`. */
const GOES_ON = /^[A-Za-z]*\d|^[A-Za-z]+[!#$%^&*?@~+]|^[!#$%^&*?@~+][^]*\d/;
/** A type that is called after its size. */
const SIZED = /^(?:int(?:eger)?(?:8|16|32|64|128|256)(?:_t)?|bytes\d{1,2})$/i;

/** Returns whether a value stands for one: a variable, a template, a type, an example. */
export function isPlaceholder(value: string, isText: boolean): boolean {
  if (SIGN.test(value)) return isReference(value, isText);
  if (PATTERN.test(value)) return true;
  if (FOREIGN.test(value)) return !(/^\w+$/.test(value) && looksRandom(value));
  const { rest } = WORD.exec(value)?.groups ?? {};
  if (rest === undefined) return false;
  if (GOES_ON.test(rest)) return SIZED.test(value);
  if (LONGER.test(value === value.toUpperCase() ? rest.toLowerCase() : rest)) return false;
  return !(/^\w+$/.test(value) && looksRandom(value));
}

/** Returns whether a value that begins with a sign is `$API_KEY_1`, `%s`, `@param` or `<your-token>`, not `@dm1n77!`. */
export function isReference(value: string, isText: boolean): boolean {
  if (value.startsWith('$') && looksRandom(value)) return false;
  if (/^%(?![\dA-F]{2})/i.test(value) && looksRandom(value.slice(1))) return false;
  if (SCHEME.test(value)) return false;
  if (isText && /\d/.test(value) && isJumble(value)) return false;
  if (BRACKET.test(value)) {
    return REGEXP.test(value) || !looksRandom(value.replace(/[^A-Za-z\d]+/g, ''));
  }
  if (REFERENCE.test(value)) return true;
  return !isText || !/\d/.test(value);
}
