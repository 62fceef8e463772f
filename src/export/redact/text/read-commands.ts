import type { Around, View } from './view.ts';

/** A program and its arguments as a list: an option, a word before an argument, or the program. */
const OPTION_IN_LIST =
  /["'],[ \t]{0,4}\[?["'](?:(?:-{1,2}|\+)\w|\/[a-z]{1,12}[:="']|(?:password|auth|AUTH|requirepass|masterauth|set-initial-password|using|add_user|change_password|authenticate_user|set|user|psk|wifi-sec\.psk|802-11-wireless-security\.psk|vpn\.secrets|key|passwd|create|add|set-password|set-pin|set-pattern|unlock-keychain|create-keychain|set-keychain-password|secret-set-value|input_pw|user_pw|owner_pw|encrypt_string|unlock|login|unseal|token|obscure|pass|registry|auth:token|authtoken|add-authtoken|config|add-api-key|install|\w{0,40}secret_access_key|aws_session_token|init|publish|_authToken|npmAuthToken|pypi-token\.pypi|push|setapikey|user-secrets|setup|link|user-password|upwd|user:password|reset-admin-password|change-password|modify)["'],)|[[(][ \t]{0,4}["'](?:isql|iusql|vncpasswd|vino-passwd|wpa_passphrase|radtest|mkpasswd)["'],/g;
const BETWEEN_ITEMS = /["'],[ \t]{0,4}\[?["']/g;
/** The arguments of a program that is named above them, as in the settings of clients, editors and containers. */
const ARGUMENTS = /(?:args|argv|arguments|arg_?list)["']?[ \t]{0,4}[:=][ \t]{0,4}\[/gi;
const AROUND_ARGUMENTS: Around = { before: 3, behind: 20 };
/** The end of one item and the beginning of the next, which is not the name of a member. */
const BETWEEN_WORDS =
  /["']\]?,?\s{0,80}["']?\w{0,20}(?:args|argv|arguments|arg_?list)["']?[ \t]{0,4}[:=][ \t]{0,4}\[\s{0,80}["']|["'],\s{0,80}["'](?![^"'\n]{0,100}["'][ \t]{0,4}:)/gi;

/** An option as an item of a list that has a line for each, as containers and their settings show programs. */
const OPTION_ON_LINE =
  /^[ \t]{0,80}(?:(?:- ["']?|["'])-{1,2}\w|["'](?:auth|AUTH|login|user|add_user|change_password|set|create|config|unlock)["'],)/gm;
const AROUND_OPTION: Around = { before: 6, behind: 6 };
const BETWEEN_LINES =
  /["'],[ \t]{0,4}\[?\r?\n[ \t]{0,80}["'](?![^"'\n]{0,100}["'][ \t]{0,4}:)|["']?[ \t]{0,4}\r?\n[ \t]{0,80}- ["']?/g;

/** A quote within the same quotes of a shell: `bash -c 'f('\''x'\'')'`. */
const QUOTE_IN_QUOTES = /'\\''|'"'"'/g;

/** Reads programs and their arguments as somebody would type them. */
export function* readCommands(view: View): Generator<View> {
  const quoted = view.pickLines(QUOTE_IN_QUOTES)?.replace(QUOTE_IN_QUOTES, () => `'`);
  if (quoted) yield quoted;
  for (const lines of quoted ? [view, quoted] : [view]) {
    const commands = lines.pickLines(OPTION_IN_LIST)?.replace(BETWEEN_ITEMS, () => ' ');
    if (commands) yield commands;
    const calls = lines.pickLines(ARGUMENTS, AROUND_ARGUMENTS)?.replace(BETWEEN_WORDS, () => ' ');
    if (calls) yield calls;
    const items = lines.pickLines(OPTION_ON_LINE, AROUND_OPTION)?.replace(BETWEEN_LINES, () => ' ');
    if (items) yield items;
  }
}
