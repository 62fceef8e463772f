import type { SecretPattern } from './find.ts';
import { isLikeSecret } from './values.ts';

/** A word of a program, a number, blanks, or a sign. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+|\d+|\s+|[^A-Za-z\d\s]/g;
const OF_ALL_KINDS = /^(?=[^]{0,128}[a-z])(?=[^]{0,128}[A-Z])(?=[^]{0,128}[^\w\s./:-])/;
/** The share of its characters at which a text of random characters changes its kind, and one of words does not. */
const MIN_CHANGES = 0.55;

/** Returns whether a text is hardly a sentence or a part of a program: each of its characters is drawn by itself. */
function isOfAllCharacters(text: string): boolean {
  if (!OF_ALL_KINDS.test(text)) return false;
  return (text.match(PIECE)?.length ?? 0) / text.length >= MIN_CHANGES;
}

const HEXADECIMAL_OR_BASE64 = /^(?:[\da-f]{32,}|[\w+/-]{20,}={0,2})$/i;

function isKey(value: string): boolean {
  return HEXADECIMAL_OR_BASE64.test(value) && isLikeSecret(value);
}

/** Text that a program prints, rather than what it puts in. */
const PRINTED = /^(?![$%<{-])(?=.{0,128}[\d!#$%^&*~?@])/;

/** Keys as some programs and services set them, of which the name or the value says little. */
export const CONFIGURED: readonly SecretPattern[] = [
  // Texts with blanks and signs of all kinds, as WordPress makes them, in a program, a file or a table.
  {
    rule: 'assigned-secret',
    pattern:
      /(?:(?<!pub(?:lic)?[_-]?)KEY|SALT|PEPPER|SECRET|TOKEN)["'\]]{0,2}[ \t]{0,40}(?:,|=>|[=:])[ \t]{0,40}["'](?<secret>[^"'\r\n\\]{32,128})["']/gi,
    isSecret: isOfAllCharacters,
  },
  {
    rule: 'assigned-secret',
    pattern: /_(?:KEY|SALT)(?:=|[ \t|]{1,40})(?<secret>[^"'\t\r\n\\]{64})(?=[ \t|\r\n]|$)/g,
    isSecret: isOfAllCharacters,
  },
  // A salt of a whole program is a secret, unlike that of one hash.
  {
    rule: 'assigned-secret',
    pattern:
      /(?<![a-z])(?:SALT|PEPPER)["'\]]{0,2}[ \t]{0,40}(?:,|=>|[=:])[ \t]{0,40}["']?(?<secret>[\w+/=-]{16,128})(?![\w+/=-])/g,
    isSecret: isLikeSecret,
  },
  // The two keys of a service of Azure.
  {
    rule: 'assigned-secret',
    pattern:
      /(?:key_?1|primary_?key)["']?[ \t]{0,30}[:=][ \t]{0,8}["']?(?<secret>[\w+/-]{32,100}={0,2})["']?[\s,;]{1,60}["']?(?:key_?2|secondary_?key)["']?[ \t]{0,30}[:=]/gi,
    isSecret: isKey,
  },
  {
    rule: 'assigned-secret',
    pattern:
      /(?<=(?:key_?1|primary_?key)["']?[ \t]{0,30}[:=][ \t]{0,8}["']?[\w+/-]{32,100}={0,2}["']?[\s,;]{1,60}["']?)(?:key_?2|secondary_?key)["']?[ \t]{0,30}[:=][ \t]{0,8}["']?(?<secret>[\w+/-]{32,100}={0,2})/gi,
    isSecret: isKey,
  },
  // A wallet of a chain, given its key, and the file of Kaggle.
  {
    rule: 'assigned-secret',
    pattern:
      /(?:Wallet|privateKeyToAccount|from_?(?:private|secret)_?key|accounts["']?[ \t]{0,4}[:=][ \t]{0,4}\[)\(?\s{0,20}["'](?<secret>(?:0x)?[\da-f]{64})["']/gi,
  },
  {
    rule: 'assigned-secret',
    pattern:
      /"username"\s{0,4}:\s{0,4}"[^"\n]{1,60}",\s{0,20}"key"\s{0,4}:\s{0,4}"(?<secret>[\da-f]{32})"/g,
  },
  // A client of a service, given an id and a key.
  {
    rule: 'command-password',
    pattern:
      /(?:[Cc]lient|Chat|[Ss]earch|Pusher|SDK|Sdk)(?:\.\w{1,20})?\(\s{0,20}(?:["'][^"'\n]{1,100}["'],\s{0,20}){1,3}["'](?<secret>[\w+/-]{20,128}={0,2})["']/g,
    isSecret: isKey,
  },
  // Talk with a server of mail in base64, but no word of a sentence: `SASL PLAIN authentication`.
  {
    rule: 'command-password',
    pattern:
      /(?:AUTH(?:ENTICATE)?|SASL)[ \t]{1,2}(?:PLAIN|LOGIN|XOAUTH2)(?:[ \t]{1,2}|\r?\n[^\n]{0,8}(?:334[^\n]{0,8}|\+[ \t]{0,2})\r?\n[^\n]{0,8}?)(?<secret>[A-Za-z\d+/]{12,}={0,2})/gi,
    isSecret: (value) => !/^[A-Z]?[a-z]+(?:\/[a-z]+)*$/.test(value),
  },
  // A program that prints a secret, as the settings of clients name it.
  {
    rule: 'assigned-secret',
    pattern:
      /(?:(?:key|token|pass(?:w(?:or)?d)?|secret|credentials?)[_-]?(?:helper|command|cmd|eval|exec|process|script|program)|ask_?pass)["'\]]{0,2}[ \t]{0,4}[:=]?[ \t]{0,4}["']?(?:\/bin\/)?(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4}|["']?%s(?:\\n)?["']?[ \t]{1,4})?\\?["']?(?<secret>[^\s"'`\\|>]{4,128})/gi,
    isSecret: (value) => PRINTED.test(value),
  },
  // A setting of .NET by its path.
  {
    rule: 'assigned-secret',
    pattern:
      /["'](?:\w{1,30}:){0,3}(?:jwt|jws|tokens?|auth|authentication|signing|encryption|hmac|open_?ai|anthropic|azure\w{0,20}|cosmos(?:_?db)?|send_?grid|stripe|mailgun|twilio|api|private|secret)(?:settings|options|config)?:Key["'](?:\]|[ \t]{0,4},)?[ \t]{0,4}(?:=|:|\?\?)?[ \t]{0,4}@?["'](?<secret>[^"'\s]{6,256})["']/gi,
    isSecret: isLikeSecret,
  },
  // Such a setting in the list that `dotnet user-secrets` prints.
  {
    rule: 'assigned-secret',
    pattern:
      /^[ \t]{0,8}(?:\w{1,30}:){0,3}(?:jwt|jws|tokens?|auth|authentication|signing|encryption|hmac|open_?ai|anthropic|azure\w{0,20}|cosmos(?:_?db)?|send_?grid|stripe|mailgun|twilio|api|private|secret)(?:settings|options|config)?:Key = (?<secret>[^"'\s]{6,256})$/gim,
    isSecret: isLikeSecret,
  },
  // A channel of conda has a token in its path.
  {
    rule: 'url-token',
    pattern:
      /conda[\w.-]{0,60}(?::\d{1,5})?(?:\/[\w.-]{1,40}){0,2}\/t\/(?<secret>[\w-]{8,128})(?![\w-])/gi,
    isSecret: isLikeSecret,
  },
  {
    rule: 'url-token',
    pattern: /\/t\/(?<secret>[a-z]{2}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w-])/g,
  },
  // Values that Terraform hides, in its outputs and its state.
  {
    rule: 'assigned-secret',
    pattern:
      /"sensitive"\s{0,4}:\s{0,4}true,\s{0,40}(?:"type"\s{0,4}:\s{0,4}"\w{1,20}",\s{0,40})?"value"\s{0,4}:\s{0,4}"(?<secret>[^"\s]{4,4096})"/g,
  },
  {
    rule: 'assigned-secret',
    pattern:
      /"value"\s{0,4}:\s{0,4}"(?<secret>[^"\s]{4,4096})",\s{0,40}"type"\s{0,4}:\s{0,4}"\w{1,20}",\s{0,40}"sensitive"\s{0,4}:\s{0,4}true/g,
  },
  {
    rule: 'assigned-secret',
    pattern:
      /"override_special"\s{0,4}:\s{0,4}(?:null|"[^"\n]{0,100}"),\s{0,40}"result"\s{0,4}:\s{0,4}"(?<secret>[^"\s]{4,512})"/g,
  },
  // Keys of storage of Azure, as its client lists them.
  {
    rule: 'assigned-secret',
    pattern:
      /"keyName"\s{0,4}:\s{0,4}"\w{1,20}",\s{0,40}"permissions"\s{0,4}:\s{0,4}"\w{1,10}",\s{0,40}"value"\s{0,4}:\s{0,4}"(?<secret>[^"\s]{16,200})"/gi,
  },
  {
    rule: 'assigned-secret',
    pattern:
      /(?<![\w-])key[12][ \t]{1,20}(?:FULL|READ)[ \t]{1,20}(?<secret>[\w+/]{40,100}={0,2})(?!\S)/gi,
  },
  // A profile of a network of Windows, whose passphrase may hold blanks.
  { rule: 'password', pattern: /<keyMaterial>(?<secret>[^<\n]{5,64})<\/keyMaterial>/g },
  {
    rule: 'password',
    pattern: /(?<![\w-])wep_?key\d?[ \t]{0,4}=[ \t]{0,4}["']?(?<secret>[^\s"']{5,58})/g,
  },
  // A personal access token, the keys that sign sessions, and the key of a wallet by their variables.
  {
    rule: 'assigned-secret',
    pattern:
      /(?<![A-Za-z\d])PAT["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<secret>[\w+/-]{20,256}={0,2})(?![\w+/=-])/g,
    isSecret: isLikeSecret,
  },
  {
    rule: 'assigned-secret',
    pattern:
      /(?<![A-Za-z\d])(?:APP|API|SESSION|COOKIE|SIGNING)_KEYS["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<secret>[\w+/=-]{16,128}(?:,[ ]?[\w+/=-]{16,128}){0,9})(?![\w+/=-])/g,
    isSecret: (value) => value.split(/, ?/).every(isLikeSecret),
  },
  {
    rule: 'assigned-secret',
    pattern:
      /(?<![A-Za-z\d])(?:PK|PRIV|PRIVATE)(?:_?\d)?["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<secret>(?:0x)?[\da-fA-F]{64})(?!\w)/g,
  },
];
