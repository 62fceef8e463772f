import type { Range } from '../text/view.ts';
import type { NameInText } from './names.ts';

/** A value that is not right behind its name. */
export interface NearValue extends Range {
  readonly name: string;
  readonly value: string;
}

/** The text between a name and a value, and the value. */
const FOLLOWED: readonly RegExp[] = [
  // The second of two variables that get values at once: `user, password = "bob", "value"`.
  /(?<=[\w$]{1,40},[ \t]{0,2}[$\w.-]{1,60})[\])]?[ \t]{0,4}:?=[ \t]{0,4}[[(]?["'`][^"'`\n]{1,100}["'`],[ \t]{0,4}["'`](?<secret>[\w!#$%^&*+~?@.:/=-]{8,512})["'`]/y,
  // The first string of an expression, on this line or the next: `password = String::from("value")`.
  /["'`\])}>*]{0,4}(?:,\s{0,40})?[^\n"'`;,]{0,80}(?:(?<=[[{(=>:,][ \t\r]{0,4})\n[ \t]{0,40}[^\n"'`;,]{0,40})?["'`](?<secret>[\w!#$%^&*+~?@.:/=-]{8,512})(?=["'`\r\n]|$)/y,
  // The string that a program takes instead, behind a condition or another value with strings in it: `password = env["X"] || "value"`.
  /["'`\])}>*]{0,4}[ \t]{0,4}(?::?=(?!=)|=>|:(?!:))(?:[^\n"'`;,|?]|\?(?=[.[])|"[^"\n]{0,80}"|'[^'\n]{0,80}'){1,100}?(?:\|\||\?[?:]?|[ \t](?:or|else))[ \t]{1,4}["'`](?<secret>[\w!#$%^&*+~?@.:/=-]{8,512})(?=["'`\r\n]|$)/y,
  /["'`\])}>*]{0,4}[ \t]{0,4}(?::?=(?!=)|=>|:(?!:))(?:[^\n"'`;,|?]|\?(?=[.[])|"[^"\n]{0,80}"|'[^'\n]{0,80}'){1,100}[ \t]\?[ \t](?:[^\n"'`;,?:]|\?(?=[.[])|"[^"\n]{0,80}"|'[^'\n]{0,80}'){1,80}:[ \t]{1,4}["'`](?<secret>[\w!#$%^&*+~?@.:/=-]{8,512})(?=["'`\r\n]|$)/y,
  // The end of a sentence, or what comes below it: `a password for app was set to value`. Other parameters end it.
  /["'`*]{0,3}(?:[ \t]{1,4}[\w@.-]{1,30}){0,8}?(?:[ \t]{1,4}(?:is|are|was|to|as)[ \t]|(?<![ \t](?:sha\d{1,3}|md5|arn|urn))[ \t]{0,4}[:=]{1,2}(?!\/\/)|(?:\r?\n){2})\*{0,2}[ \t]{0,8}(?:\r?\n[ \t]{0,40}){0,3}(?:`{3}\w{0,12}\r?\n[ \t]{0,40})?\*{0,3}(?<secret>(?=[^\s\d]{0,100}\d)(?:[\w!#$%^*+~?@.:/=-]|&(?![A-Za-z_][\w.-]{0,60}=)){8,512})/y,
  // A description of a value: `"password": {"sensitive": true, "value": "value"}`.
  /["']\s{0,4}:\s{0,8}\{[^{}]{0,120}?["']value["']\s{0,4}:\s{0,8}["'](?<secret>[^"'\s]{8,512})/y,
];

/** Values near the names of secrets, as programs and people write them. Each must be looked at. */
export function* findNearValues(text: string, names: readonly NameInText[]): Generator<NearValue> {
  for (const { name, end: at } of names) {
    for (const pattern of FOLLOWED) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) continue;
      const found = match.groups?.['secret'] ?? '';
      // The end of a sentence.
      const value = found.replace(/\*{1,3}[.:,?]?$|[.:,?]$/, '');
      const start = match.index + match[0].lastIndexOf(found);
      yield { name, value, start, end: start + value.length };
    }
  }
}
