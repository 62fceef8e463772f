/**
 * The beginning of each line of a diff, a quote, a comment, a listing, a log, the box of a terminal, or of a result
 * of `grep`, of `git blame` or of a test. A time may have the names of a job, a host or a program beside it; it is
 * looked for first, as its end looks like a number behind the name of a file.
 */
export const LINE_BEGINNING =
  /^[ \t]{0,8}(?:(?:[^\t\n]{1,60}\t[^\t\n]{1,60}\t)?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: std(?:out|err) [FP](?= )| [\w.-]{1,64} [\w.()/-]{1,64}(?:\[\d{1,8}\])?:(?= ))?(?=[ \t])|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d [\w.-]{1,64} [\w.()/-]{1,64}(?:\[\d{1,8}\])?:(?= )|(?:\d\d-\d\d )?\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?(?: {1,6}\d{1,6} {1,6}\d{1,6} [A-Z] [\w.-]{1,60} {0,8}:)?(?= )|[\w./-]{1,80}:\d{1,6}(?::\d{1,4})?[:-]|(?!-)[\w./-]{0,80}?[A-Za-z]\d{0,2}-\d{1,6}-|(?:[>→*❯] {0,4})?\d{1,6}(?:[ \t]{0,4}[:→|│\t]|-(?![-\d]))|\d{1,6} {1,4}[>*](?= )|[\w.-]{1,40}[-_]\d{1,3}[ \t]{1,10}\||(?:>[ \t]?){1,4}|[-+ ] {0,5}\d{1,6}(?= )|\+(?!\+)|-(?![-+]| \S)|#\d{1,3} \d{1,4}\.\d{1,3}(?= )|(?:[#<;]|;;|--)(?=[ \t])|(?<![ \t])#(?=[^\s#!])(?!#(?:include|define|endif|if|el|import|pragma|undef))|\/\/|\[[\w./:@-]{2,100}\](?= )|(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|std(?:out|err)):(?= )|[@\w./#-]{1,60}:[\w.-]{1,40}:(?= )|[│┃║⎿]|E {3}|\^?[\da-f]{7,40} (?:[\w./-]{1,80} {1,4})?\([^()\n]{5,80} \d{1,6}\)(?= ))[ \t]?/gm;
