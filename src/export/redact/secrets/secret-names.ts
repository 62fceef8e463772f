import type { Range } from '../text/view.ts';
import { isExpression, isJumble } from './expressions.ts';
import { FOREIGN_NAMES } from './foreign-names.ts';
import { isPlaceholder } from './placeholders.ts';
import { countPieces, isFact, looksRandom } from './random-words.ts';
import { isAlgorithm } from './technical-terms.ts';
import { isUnspacedSentence } from './unspaced.ts';
import { isLikeSecret, isRandomInParts } from './values.ts';

/** Words by which a name says that its value is secret, as the last of its words. */
export const SECRET_WORD =
  /(?:^|_)(?:password|passwd|passwort|pass_?phrase|passcode|pwd|pw|pass|secret|token|api_?key|access_?key|secret_?key|private_?key|signing_?key|encryption_?key|master_?key|account_?key|auth_?key|service_?key|session_?key|shared_?key|preshared_?key|storage_?key|deploy_?key|license_?key|integration_?key|role_?key|application_?key|app_?key|admin_?key|server_?key|write_?key|hmac_?key|ssh_?key|consumer_?key|recovery_?keys?|unseal_?keys?|wi_?fi_?key|wpa_?key|rapidapi_?key|insert_?key|functions?_?key|security_?key|join_?key|bootstrap_?key|activation_?key|product_?key|key_data|key_base|auth|authorization|credentials?|dsn|cookie|set_cookie|security_token|x_amz_signature|connection_string|secret_string|subscription_key|psk|root_?pw|sonar_login|passwords|passphrases|secrets|api_keys|pass_?word|senha|kennwort|wachtwoord|heslo|clave|contrasena|contrasenya|mot_de_passe|mdp|sifre|haslo|adgangskode|salasana)(?:_(?:base|value|val|prod|production|dev|test|staging|live|base64|b64|hex|confirm|confirmation|repeat|again|plain|\d{1,3})|\d{1,2})?$/;
/** `PGPASSWORD`, `mysqlpass`, `ftppw2`: run together, where that is not another word, such as `compass`. */
export const SECRET_ENDING =
  /(?:password|passwd|passwort|passwrd|passphrase|passcode|pwd|pswd|psw|pword|apikey|secretkey|accesskey|privatekey|(?:encryption|signing|sign|master|auth|aes|fernet|crypto?|hmac|jwt)key|passw0rd|secretkeybase|masterauth|setcookie|secret|token|psk|(?<!by|com|tres|over|under|sur|sub|multi|render|first|second|high|low|band|color|shadow|all|depth|has|not)pass|pw)\d{0,3}$/;
/** Every name that these know has one of these words, in small or capital letters. */
export const NAME_MARKS: readonly string[] =
  'pass pwd pw psw secret token key auth credential dsn cookie psk signature connection sonar senha kennwort wachtwoord heslo clave contrasen mdp sifre haslo adgangskode salasana'.split(
    ' ',
  );
/**
 * Words of a secret: a word near one that looks random is hardly anything else. Not those of models and
 * of writers: `inputTokens`, `tokenizer`, `author`. A mark begins where it does.
 */
export const NEAR_WORD =
  /pass(?:w|phrase|code|key|ord)|ssword|secret|(?<!(?:input|output|max|total|cached|prompt|completion|reasoning)[ _-]?)token(?!iz|s?[ _-]?(?:count|usage))|credential|cookie|login|log(?:ged|ging)?[ -]in(?:to)?(?![a-z])|sign(?:ed)?(?:[ _-]in(?:to)?(?![a-z])|in(?!t))|auth(?!or(?!i)|ority|entici)|(?:api|access|shared|master|admin|wi-?fi|unseal|activation|product|licen[cs]e)[ _-]?key|(?<![a-z])(?:creds|psk|pins?|pwd?|wpa|wi-?fi|sess(?:ion)?(?:id)?|sid|salt|pepper|bearer|vault|account|community)(?![a-z])|otp(?<=(?<![a-z])t?otp)(?![a-z])|recovery|backup[ _-]?code|scratch code|security[ _](?:answer|question)|maiden|crypt|hmac|fernet|unlock|identify|key-?string|config:(?:set|add)|enc?v (?:set|add)|secure_?string|env:set/iy;
/**
 * Tokens that no one needs to hide: places in a list, pieces of text, signals; passes of a compiler, and instructions of
 * a processor.
 */
const HARMLESS =
  /^(?:auth0|(?:no|cm|po|jm)pw|ldpsw)$|(?:^|_)(?:page|next|prev|previous|continuation|cursor|sync|cancel|cancellation|resume|stop|start|end|eos|bos|eot|pad|unk|sep|mask|cls|special|first|last|max|min|per|num|output|prompt|completion|total|design|text|syntax|lex|lexer|parser|css)(?:_(?:token|pass|key)|token)$|(?:^|_)(?:new|current|line|key|input)_key$/;
/** Tokens that may be pieces of a text as well. */
const MAY_BE_PIECE = /(?:^|_)(?:new|current|line|key|input)_?token$/;
/** Words that are a kind, a scheme or a name rather than a secret. */
const WEAK =
  /(?:(?:^|_)(?<!(?:auth|access|api|refresh|bearer|bot|deploy|personal|security)_)token|(?:^|_)(?:auth|authorization|credentials?|cookie|dsn|pass|pw|secrets?|key|clave)|[a-z\d](?:pass|pw|token|secret|pwd|psw|psk)(?<!(?:store|key|require|ssh|db|smtp|ftp|mail|user|root|admin|become|sudo)pass|(?:bind|admin|db|root)pw|(?:auth|access)token))\d{0,3}$/;
/** `PASSWORD_DB`, `tokenForGithub`: the word is not the last one. */
const LEADING =
  /^(?:\w{1,100}_)?(?:password|passwd|passwort|passphrase|pwd|pass|secret|token|api_?key)s?_(?<rest>[a-z\d_]{1,100})$/;
/** A key of a service, and keys that find a thing rather than open one. */
const KEY_OF = /^(?<of>x|[a-z\d_]{2,60})_key$/;
/** `privkey`, `wep_key0`. */
const RUN_TOGETHER =
  /(?:^|_)(?:priv|root|wallet|cookie|licence|stripe|open_?ai|anthropic|gemini|enc|wep|bot|stream|unlock)_?key\d{0,2}$/;
const FINDS =
  /(?:^|_)(?:cache|primary|foreign|sort|partition|public|pub|index|idempotency|row|object|hash|lookup|translation|i18n|storage|sequence|bucket|candidate|natural|composite|unique|group|routing|dedup\w{0,20}|query|item|map|dict|state|event|host|search|column|field|label|message|config|setting|session|local|up|down|left|right|enter|tab|shift|ctrl|alt|meta|space|esc\w{0,10}|home|end|page|arrow|f\d{1,2}|react|list|entry|node|tree|issue|project|jira|bibtex|citation|surrogate|request|join|lock|for|of|by|is|has|the|a|no|my|this)$/;
/** Facts about a secret, and other things that are called after one. */
const FACT =
  /(?:^|_)(?:hash(?:e[rsd])?|file|files|path|url|uri|type|types|name|names|id|ids|length|len|min|max|count|counts|limit|limits|budget|usage|used|policy|field|input|output|label|hint|reset|change|changed|expir\w{0,10}|ttl|age|regexp?|pattern|required|enabled|disabled|format|encoding|algorithm|salt|version|provider|manager|service|store|storage|endpoint|env|var|variable|index|list|map|ref|class|cost|price|rate|ratio|window|stream|position|offset|start|end|size|split|through|rules?|strength|error|errors|message|status|state|prompt|entry|form|box|page|link|text|title|per|total|details|info|kind|level|mode|method|source|scope|scopes|created|updated|at|by|is|has|arn|sha\d{0,3}|digest|fingerprint|checksum|iter\w{0,10}|rounds|\d{1,4}_\d{1,4}_\d{1,4}|ing|ed|[a-z]{0,20}able)(?:_|$)/;

/** Names a value that must look like a secret. */
export const LIKELY = 'password_held';

/** A name that is written so already. */
const PLAIN_WORDS = /^[a-z\d]+(?:_[a-z\d]+)*$/;

/** The certainty with which a name marks its value as secret. */
export type Certainty = 'strong' | 'weak' | 'slight' | 'none';

/** A text repeats the same few names. */
const judged = new Map<string, Certainty>();
const MAX_JUDGED_NAMES = 1000;

/** `dbPassword`, `DB_PASSWORD`: strong; `token`, `ftppw`: weak; `PASSWORD_DB`: slight; `nextPageToken`: none. */
export function judgeName(name: string): Certainty {
  if (name.length > 100) return 'none';
  const known = judged.get(name);
  if (known !== undefined) return known;
  const certainty = judgeWords(name);
  if (judged.size >= MAX_JUDGED_NAMES) judged.clear();
  judged.set(name, certainty);
  return certainty;
}

/** Writes a name as words with `_` between them: `dbPassword` → `db_password`. */
function toWords(name: string): string {
  if (PLAIN_WORDS.test(name)) return name;
  return (
    name
      // An option of Java or Gradle: `-Dtoken=`.
      .replace(/^-[DP](?=[A-Za-z])/, '')
      .replace(/([a-z\d])([A-Z])/g, '$1_$2')
      .replace(/[^A-Za-z\d]+/g, '_')
      .replace(/^_|_$/g, '')
      .toLowerCase()
  );
}

function judgeWords(name: string): Certainty {
  const words = toWords(name);
  if (HARMLESS.test(words)) return 'none';
  if (MAY_BE_PIECE.test(words) || RUN_TOGETHER.test(words)) return 'slight';
  if (!SECRET_WORD.test(words) && !SECRET_ENDING.test(words)) {
    const { of } = KEY_OF.exec(words)?.groups ?? {};
    if (of !== undefined) return FINDS.test(of) ? 'none' : 'slight';
    const { rest } = LEADING.exec(words)?.groups ?? {};
    return rest === undefined || FACT.test(rest) ? 'none' : 'slight';
  }
  return WEAK.test(words) && !isVariable(name) ? 'weak' : 'strong';
}

/** Whether a name is one of the environment, such as `NPM_TOKEN`, whose values are seldom words. */
function isVariable(name: string): boolean {
  return name.includes('_') && /^[A-Z\d_]+$/.test(name);
}

/** Values of `PASS` that are results of tests: a color, a style, a number, a text without digits and signs. */
const OF_RESULT =
  /^(?:#[\da-f]{3,8}|[a-z]+(?:[:-][a-z]+)*-\d{2,3}(?:\/\d{1,3})?|0x[\da-f]+|\d{1,5}|(?:\\{1,2}(?:x1b|0?33|e|u001b)|.{0,3}\[\d{1,3}(?:;\d{1,3}){0,4}m).*|[^\d!$%^&*?@~+=]*)$/i;
const ONLY_FILLER = /^(?:(.)\1*|[*•.x-]+|\d+(?:[.,]\d+)*)$/i;
const NAMES_A_SECRET =
  /pass(?:word|wd|phrase)|secret|token|credential|(?:^|[-_])auth(?:$|[-_])|api[-_]?key|private[-_]?key/i;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Names whose values have ids that are no one's secret. */
const NO_UUID = /(?:(?<!master)auth|authorization|credentials?|(?<!set|auth_)cookie|dsn)$/i;
const MAY_BE_CODE = /[()[\]{}<>|;]/;
const HAS_MARK = /[\d!#$%^&*+=~?@/\\-]/;
/** A path in a program, such as `response.data`, or in a file system. */
const MEMBER_PATH = /^(?:[A-Za-z_]\w{0,60}(?:\??\.[A-Za-z_]\w{0,60})+|[~.]{0,2}\/[\w./@-]*)$/;
/** Base64 in which no sign but a slash says that it is that. */
const SLASHED = /^\/(?:[A-Za-z\d/]{4}){5,}[A-Za-z\d/]{3}$/;
const NAME_IN_PATH = /^[A-Z]?[a-z]{3,}$/;
/** Shorter pieces between slashes say nothing. */
const MIN_RANDOM = 12;
/** The share of its characters at which a path of random names changes its kind. */
const MIN_OF_PATH = 0.4;
/** No value is secret that is shorter. */
export const MIN_LENGTH = 4;
/** The least, unless the name is one of the environment that says that it is sure. */
const MIN_UNSURE = 6;
const MAX_LABEL = 30;
/** The length of a value that is looked at. */
const MAX_JUDGED = 256;

export interface Assigned {
  readonly name: string;
  readonly value: string;
  /** It is in quotes or a member: certainly a text, not a name of something. */
  readonly isText: boolean;
}

/** Names of a kind as well, and such kinds: `credentials: 'same-origin'`, `auth: service-account`. */
const MAY_BE_KIND = /(?:^|\.)(?:auth|authorization|credentials?)$/i;
const KIND = /^[a-z]{2,20}(?:-[a-z]{2,20}){1,3}$/;
/** A blank that a shell takes into a word. */
const ESCAPED_BLANK = /\\ (?=\S)/g;
const OF_PASSPHRASE = /passphrase|psk$/i;
const WORDS = /^\p{L}{3,16}(?:[ -](?:\p{L}{3,16}|\d{1,6})){2,11}$/u;
/** Words that make a sentence, or say what is meant: no list for passphrases has them. */
const OF_SENTENCE =
  /(?<!\p{L})(?:the|and|for|are|was|not|you|your|this|that|with|from|must|should|can|cannot|will|has|have|enter|use|using|used|set|please|missing|invalid|wrong|empty|here|some|any|pass(?:word|phrase|key)?s?|secret|key|optional|required|example|wpa|psk)(?!\p{L})/iu;

/** Returns whether a text is words alone, as passphrases are, and its name that of one. */
function isPassphrase(name: string, value: string): boolean {
  return OF_PASSPHRASE.test(name) && WORDS.test(value) && !OF_SENTENCE.test(value);
}

/** Returns whether a value is the name of the field for it on a page in another language. */
function isLabel(value: string): boolean {
  return value.length <= MAX_LABEL && /^[:*…]?$/.test(value.replace(FOREIGN_NAMES, ''));
}

/** Returns whether a value is a path, and not base64 that begins with a slash. */
function isPath(value: string): boolean {
  if (!MEMBER_PATH.test(value)) return false;
  const pieces = SLASHED.test(value) ? value.split('/') : [];
  return (
    pieces.some((piece) => NAME_IN_PATH.test(piece)) ||
    !pieces.some((piece) => piece.length >= MIN_RANDOM && looksRandom(piece))
  );
}

/** Returns whether the names between dots change their kinds as those of no program do: `m86m.EtBvT.bQL`. */
function isRandomPath(value: string): boolean {
  const letters = value.replaceAll('.', '');
  if (value.includes('/') || !isLikeSecret(value)) return false;
  return countPieces(letters) / letters.length > MIN_OF_PATH;
}

/** Returns whether a value is secret by the name that it is given to. */
export function isSecretValue({ name, value: whole, isText }: Assigned): boolean {
  const certainty = judgeName(name);
  if (certainty === 'none') return false;
  const value = whole.slice(0, MAX_JUDGED).replace(ESCAPED_BLANK, '');
  if (certainty === 'slight' && !isLikeSecret(value)) return false;
  if (value.length < (certainty === 'strong' && /[A-Z]{3}/.test(name) ? MIN_LENGTH : MIN_UNSURE))
    return false;
  if (/\s/.test(value)) {
    return (
      isText && ((/pass|pwd/i.test(name) && isRandomInParts(value)) || isPassphrase(name, value))
    );
  }
  if (isPlaceholder(value, isText) || isLabel(value)) return false;
  if (name === 'PASS' && OF_RESULT.test(value)) return false;
  if (isFact(value) || isAlgorithm(value) || isUnspacedSentence(value)) return false;
  const isPassword = /pass|pwd?|psw|pswd/i.test(name) && !/token$/i.test(name);
  if (ONLY_FILLER.test(value))
    return isPassword && /^\d{4,}$/.test(value) && !/^(.)\1*$/.test(value);
  if (UUID.test(value))
    return !NO_UUID.test(name) && !(certainty === 'slight' && /[a-z]Key$|_key$/.test(name));
  // The directory of a shell.
  if (/^(?:OLD)?PWD$/.test(name) && MEMBER_PATH.test(value)) return false;
  if (MAY_BE_KIND.test(name) && KIND.test(value)) return false;
  const hasMark = HAS_MARK.test(value);
  const isNamed = NAMES_A_SECRET.test(value);
  if (isNamed && !/\d{2,}|[!#$%^&*+~?@]/.test(value)) return false;
  if (isPath(value) && !(isText && (isPassword || isRandomPath(value)))) return false;
  if (!isText && MAY_BE_CODE.test(value) && !looksRandom(value)) {
    if (/\d/.test(value) ? isExpression(value) : !isJumble(value)) return false;
  }
  // A plain word may be a kind, or what a program calls something.
  return hasMark || (certainty === 'strong' && isPassword) || isLikeSecret(value);
}

/** Finds the secret in the value of a member, by the member's name. */
export function findMemberSecret(name: string, text: string): Range | undefined {
  if (judgeName(name) === 'none') return undefined;
  const [scheme = ''] = /^\s*(?:(?:basic|bearer|token|bot|digest|apikey)\s+)?/i.exec(text) ?? [];
  const start = scheme.length;
  const end = start + text.slice(start).trimEnd().length;
  const value = text.slice(start, end);
  const isCookie = /cookie$/i.test(name) && /^[\w.-]{1,80}=./.test(value);
  const isSecret = isCookie || isSecretValue({ name, value, isText: true });
  return isSecret ? { start, end } : undefined;
}
