// @ts-check
// What a terminal shows, as SVG: text that can be selected, in the colors of the reader's choice.

const CELL = 8.4;
const LINE = 20;
const MARGIN = 16;
// oxlint-disable-next-line no-control-regex
const SGR = /\u001b\[(\d+)m/g;

const STARTS = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 34: 'u', 35: 'm', 36: 'c', 90: 'd' };
const ENDS = { 0: [], 22: ['b', 'd'], 39: ['r', 'g', 'y', 'u', 'm', 'c', 'd'] };

const STYLE = `
.f{fill:#f6f8fa;stroke:#d0d7de}text{fill:#1f2328;font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}
.b{font-weight:700}.d{fill:#6e7781}.r{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#9a6700}.u{fill:#0969da}.m{fill:#8250df}.c{fill:#1b7c83}
@media(prefers-color-scheme:dark){.f{fill:#0d1117;stroke:#30363d}text{fill:#e6edf3}.d{fill:#8b949e}.r{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}.u{fill:#58a6ff}.m{fill:#bc8cff}.c{fill:#39c5cf}}
`;

/** @param {string} text of a terminal @param {string} title @param {number} columns */
export function drawTerminal(text, title, columns) {
  const lines = text.trimEnd().split('\n');
  const [width, height] = [columns * CELL + 2 * MARGIN, lines.length * LINE + 2 * MARGIN];
  const rows = lines.map((line, row) => drawLine(line, MARGIN + (row + 0.75) * LINE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img">`,
    `<title>${escape(title)}</title><style>${STYLE}</style>`,
    `<rect class="f" x="0.5" y="0.5" width="${Math.ceil(width) - 1}" height="${height - 1}" rx="8"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
}

/** Every stretch of one style is set to the width of its cells: fonts differ, columns do not. */
function drawLine(line, y) {
  let classes = new Set();
  let column = 0;
  let at = 0;
  let drawn = '';
  const put = (text) => {
    const start = text.length - text.trimStart().length;
    const shown = text.trim();
    if (shown !== '') {
      const x = (MARGIN + (column + start) * CELL).toFixed(1);
      const style = classes.size > 0 ? ` class="${[...classes].join(' ')}"` : '';
      const width = (shown.length * CELL).toFixed(1);
      drawn += `<text xml:space="preserve" x="${x}" y="${y}" textLength="${width}"${style}>${escape(shown)}</text>`;
    }
    column += text.length;
  };
  for (const match of line.matchAll(SGR)) {
    put(line.slice(at, match.index));
    at = match.index + match[0].length;
    classes = apply(classes, Number(match[1]));
  }
  put(line.slice(at));
  return drawn;
}

function apply(classes, code) {
  const name = STARTS[code];
  if (name !== undefined) return new Set([...classes, name]);
  const ended = ENDS[code] ?? [];
  return code === 0 ? new Set() : new Set([...classes].filter((one) => !ended.includes(one)));
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
