// @ts-check

const OPTION = /^ {2,}((?:-\w, )?--[\w-]+)(?: (<\S+))? {2,}(.*)$/;
const HEADING = /^([A-Z][^\n]*):$/;
/** A heading of a help page that goes on: `Budgets (the oldest first)`, `Summaries, of branches`. */
const LONG_HEADING = /^([^,(]+)(?:, (.*)| \((.*)\))$/;
/** What a help page has in one paragraph, and a man page in a section. */
const PARAGRAPH = /^(Targets|Examples|Exit codes): (.*)$/;
const NOTE = /\[(choices: [^\]]*|default: [^\]]*)\]/g;

/** roff would print another sign for these, or take them for its own. */
const SIGNS = new Map([
  ['\\', '\\(rs'],
  ['-', '\\-'],
  ["'", '\\(aq'],
  ['`', '\\(ga'],
  ['^', '\\(ha'],
  ['~', '\\(ti'],
]);

/**
 * A page for `man`, from the help page of a command in full (`--help --all`), as the program prints it.
 *
 * @param {{ name: string, summary: string, help: string, version: string, others: string[] }} page
 * @returns {string} roff, with the macros of man(7)
 */
export function formatManPage({ name, summary, help, version, others }) {
  const [usage = '', ...blocks] = help.trimEnd().split(/\n\n+/);
  const body = blocks.flatMap((block) => formatBlock(block.split('\n')));
  const [own, ...rest] = body.reduce(gather, [[]]);
  return [
    `.TH ${name.toUpperCase()} 1 "" "coppice ${version}" "coppice"`,
    '.SH NAME',
    `${escape(name)} \\- ${escape(summary)}`,
    '.SH SYNOPSIS',
    escape(usage),
    '.SH DESCRIPTION',
    ...(own ?? []),
    ...rest.flat(),
    '.SH SEE ALSO',
    ...others.map((other, at) => `.BR ${escape(other)} (1)${at < others.length - 1 ? ',' : ''}`),
    '',
  ].join('\n');
}

/** One list of lines for each section. @param {string[][]} sections @param {string} line */
function gather(sections, line) {
  if (line.startsWith('.SH ')) return [...sections, [line]];
  return [...sections.slice(0, -1), [...(sections.at(-1) ?? []), line]];
}

/** @param {string[]} lines @returns {string[]} */
function formatBlock([first = '', ...lines]) {
  const [, heading] = HEADING.exec(first) ?? [];
  const [, topic, start = ''] = PARAGRAPH.exec(first) ?? [];
  if (topic !== undefined) {
    return [
      toSection(topic),
      ...[topic === 'Targets' ? capitalize(start) : start, ...lines].map((line) => escape(line)),
    ];
  }
  if (heading === undefined) return ['.PP', ...[first, ...lines].map((line) => escape(line))];
  if (heading === 'Examples' || heading === 'Commands') {
    const examples = lines.map((line) => escape(line.trim()));
    return [toSection(heading), '.nf', ...examples, '.fi'];
  }
  if (heading === 'Exit codes') return [toSection(heading), ...lines.flatMap(formatCode)];
  const [, title = heading, after, inside] = LONG_HEADING.exec(heading) ?? [];
  const rest = after ?? inside;
  const remark =
    rest === undefined ? [] : [escape(`${capitalize(rest.replace(/^docs\//, 'see $&'))}.`)];
  return [toSection(title), ...remark, ...joinOptions(lines).flatMap(formatOption)];
}

/** @param {string} text */
function capitalize(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A section has the name that readers of man pages look for, in capitals. @param {string} title */
function toSection(title) {
  return `.SH ${title === 'Exit codes' ? 'EXIT STATUS' : escape(title.toUpperCase())}`;
}

/** @param {string} line */
function formatCode(line) {
  const [, code = '', meaning = ''] = /^ *(\d+) +(.*)$/.exec(line) ?? [];
  return ['.TP', `.B ${code}`, escape(meaning)];
}

/** What the width of a page has broken. @param {string[]} lines @returns {string[]} */
function joinOptions(lines) {
  /** @type {string[]} */
  const joined = [];
  for (const line of lines) {
    if (OPTION.test(line)) joined.push(line);
    else joined.push(`${joined.pop() ?? ''} ${line.trim()}`);
  }
  return joined;
}

/** @param {string} line */
function formatOption(line) {
  const [, names = '', named, text = ''] = OPTION.exec(line) ?? [];
  const notes = [...text.matchAll(NOTE)].map(([, note = '']) => note);
  const says = text.replace(NOTE, '').replace(/\s+/g, ' ').trim();
  const isChoice = notes.some((note) => note.startsWith('choices'));
  const value = named ?? (isChoice ? '<value>' : undefined);
  const more = notes.flatMap((note) => {
    const [, kind, what = ''] = /^(choices|default): (.*)$/.exec(note.replace(/\s+/g, ' ')) ?? [];
    if (kind === undefined || what === 'false') return [];
    const plain = what.replaceAll('"', '');
    return kind === 'choices' ? `One of: ${plain}.` : `Default: ${plain}.`;
  });
  const head = `.B ${escape(names)}${value === undefined ? '' : ` ${formatValue(value)}`}`;
  return ['.TP', head, escape([`${says}.`, ...more].join(' '))];
}

/** The signs between names, as in `<old>=<new>`, are written as they are. @param {string} value */
function formatValue(value) {
  return escape(value).replace(/<([^>]*)>/g, '\\fI$1\\fR');
}

/**
 * Text as it is: no word of it is an instruction, and no sign becomes another.
 *
 * @param {string} text
 */
export function escape(text) {
  const escaped = text.replace(/[\\\-'`^~]/g, (sign) => SIGNS.get(sign) ?? sign);
  return escaped.replace(/^\./, '\\&.');
}
