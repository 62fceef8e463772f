/**
 * The script of a session's page. Builds every element from text; the only HTML that it takes is
 * Markdown that was rendered without HTML of its own when the page was made.
 */
export const SESSION_SCRIPT = String.raw`'use strict';
(() => {
const byId = (id) => document.getElementById(id);
const turns = [...document.querySelectorAll('script.t')].map((element, number) => ({
  element, number, parent: Number(element.dataset.p), role: element.dataset.r, label: element.dataset.l,
  preview: element.dataset.v, children: [], depth: 0 }));
const roots = [];
for (const turn of turns) (turns[turn.parent]?.children ?? roots).push(turn);
for (const turn of turns) {
  const parent = turns[turn.parent];
  turn.depth = parent ? parent.depth + (parent.children.length > 1 ? 1 : 0) : 0;
}
const siblingsOf = (turn) => turns[turn.parent]?.children ?? roots;
const list = byId('turns'), toc = byId('toc');
const open = { tool: false, thinking: false };
let path = [], shown = 0, generation = 0, lastOn = new Set();

function add(parent, tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}
const cut = (text, length) => text.length > length ? text.slice(0, length - 1) + '…' : text;
const firstLine = (text) => cut(text.slice(0, 400).trimStart().split('\n', 1)[0], 120) || '(no output)';
function titleOf(part) {
  if (part.ok === undefined) return cut(part.title ?? firstLine(part.pre), 140);
  return (part.ok ? '✓ ' : '✗ ') + cut(part.title, 60) + ' → ' + firstLine(part.pre);
}
function fill(details) {
  if (details.filled || !details.open) return;
  details.filled = true;
  add(details, 'pre', '', details.text);
}
function addPart(to, part) {
  if (part.md !== undefined) add(to, 'div', 'md').innerHTML = part.md;
  else if (part.image) { const image = add(to, 'img'); image.alt = 'image'; image.loading = 'lazy'; image.src = part.image; }
  else if (part.fold) {
    const details = add(to, 'details', part.fold);
    details.text = part.pre;
    add(details, 'summary', '', titleOf(part));
    details.addEventListener('toggle', () => fill(details));
    details.open = open[part.fold];
    fill(details);
  } else add(to, 'pre', '', part.pre);
}
function build(turn) {
  const data = JSON.parse(turn.element.textContent);
  const article = document.createElement('article');
  article.className = turn.role;
  article.id = 't' + turn.number;
  const header = add(article, 'header');
  add(header, 'b', '', data.who);
  if (data.label) add(header, 'span', 'label', data.label);
  add(header, 'span', '', data.about);
  for (const part of data.parts) addPart(article, part);
  if (data.end) add(article, 'p', 'end', data.end);
  return article;
}
function addFork(turn, to) {
  const siblings = siblingsOf(turn), at = siblings.indexOf(turn);
  if (siblings.length < 2) return;
  const bar = add(to, 'div', 'fork');
  const step = (by, text, title) => {
    const button = add(bar, 'button', '', text);
    button.type = 'button'; button.title = title;
    button.addEventListener('click', () => { const next = siblings[(at + by + siblings.length) % siblings.length]; go(next); });
  };
  step(-1, '‹', 'Previous branch');
  add(bar, 'span', '', 'Branch ' + (at + 1) + ' of ' + siblings.length);
  step(1, '›', 'Next branch');
}
function showUpTo(index) {
  const piece = document.createDocumentFragment();
  for (; shown < path.length && shown <= index; shown += 1) {
    addFork(path[shown], piece);
    piece.append(build(path[shown]));
  }
  list.append(piece);
}
const later = window.requestIdleCallback ?? ((act) => setTimeout(() => act({ timeRemaining: () => 8 }), 16));
function showRest(mine) {
  later((time) => {
    if (mine !== generation) return;
    do showUpTo(shown + 4); while (shown < path.length && time.timeRemaining() > 4);
    if (shown < path.length) showRest(mine);
    else document.body.dataset.done = 'yes';
  });
}
function select(leaf) {
  generation += 1;
  delete document.body.dataset.done;
  path = [];
  for (let at = leaf; at; at = turns[at.parent]) path.push(at);
  path.reverse();
  list.textContent = '';
  shown = 0;
  showUpTo(30);
  showRest(generation);
  markOutline();
}
function lastBelow(turn) {
  let at = turn;
  while (at.children.length > 0) at = at.children[at.children.length - 1];
  return at;
}
function go(turn) {
  let index = path.indexOf(turn);
  if (index < 0) { select(lastBelow(turn)); index = path.indexOf(turn); }
  showUpTo(index + 10);
  const article = byId('t' + turn.number);
  article.scrollIntoView({ block: 'start' });
  byId('outline').classList.remove('open');
  byId('menu').setAttribute('aria-expanded', 'false');
  return article;
}
const items = turns.filter((turn) => turn.preview !== undefined);
function buildOutline(from) {
  const piece = document.createDocumentFragment();
  for (const turn of items.slice(from, from + 200)) {
    const item = turn.item = add(piece, 'li', 'd' + Math.min(turn.depth, 4) + (lastOn.has(turn) ? ' on' : ''));
    const button = add(item, 'button', '', (turn.label ? '◆ ' + turn.label + ' — ' : '') + (turn.preview || '(empty)'));
    button.type = 'button'; button.title = turn.preview;
    button.addEventListener('click', () => go(turn));
  }
  toc.append(piece);
  if (from + 200 < items.length) later(() => buildOutline(from + 200));
}
function markOutline() {
  for (const turn of lastOn) turn.item?.classList.remove('on');
  lastOn = new Set(path);
  for (const turn of path) turn.item?.classList.add('on');
}
let hits = [], hit = -1, search = 0;
const plain = (turn) => turn.text ??= (() => {
  const data = JSON.parse(turn.element.textContent);
  const box = document.createElement('template');
  return data.parts.map((part) => {
    if (part.md === undefined) return (part.fold ? titleOf(part) : '') + '\n' + (part.pre ?? '');
    box.innerHTML = part.md;
    return box.content.textContent;
  }).concat(data.who, data.label ?? '', data.end).join('\n').toLowerCase();
})();
function showHits() {
  byId('hits').textContent = byId('q').value === '' ? '' : hits.length === 0 ? 'none' : (hit + 1) + ' / ' + hits.length;
}
function goHit(by) {
  if (hits.length === 0) return;
  hit = (hit + by + hits.length) % hits.length;
  document.querySelector('.hit')?.classList.remove('hit');
  const article = go(hits[hit]);
  article.classList.add('hit');
  const wanted = byId('q').value.toLowerCase();
  for (const details of article.querySelectorAll('details')) if ((details.text ?? '').toLowerCase().includes(wanted)) details.open = true;
  showHits();
}
function find(wanted) {
  search += 1;
  const mine = search;
  hits = []; hit = -1;
  if (wanted === '') { document.querySelector('.hit')?.classList.remove('hit'); return showHits(); }
  const onPath = new Set(path);
  const order = [...path, ...turns.filter((turn) => !onPath.has(turn))];
  let at = 0;
  (function piece() {
    if (mine !== search) return;
    const end = performance.now() + 12;
    while (at < order.length && performance.now() < end) { if (plain(order[at]).includes(wanted)) hits.push(order[at]); at += 1; }
    if (hit < 0 && hits.length > 0) goHit(1);
    showHits();
    if (at < order.length) setTimeout(piece);
  })();
}
let typing;
byId('q').addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(() => find(byId('q').value.toLowerCase()), 150); });
byId('q').addEventListener('keydown', (event) => { if (event.key === 'Enter') goHit(event.shiftKey ? -1 : 1); });
byId('next').addEventListener('click', () => goHit(1));
byId('prev').addEventListener('click', () => goHit(-1));
byId('menu').addEventListener('click', () => byId('menu').setAttribute('aria-expanded', String(byId('outline').classList.toggle('open'))));
for (const [id, kind] of [['tools', 'tool'], ['thinking', 'thinking']]) byId(id).addEventListener('click', () => {
  open[kind] = !open[kind];
  byId(id).setAttribute('aria-pressed', String(open[kind]));
  for (const details of list.querySelectorAll('details.' + kind)) { details.open = open[kind]; fill(details); }
});
window.addEventListener('beforeprint', () => showUpTo(path.length));
const leaf = turns[JSON.parse(byId('end').textContent).leaf] ?? turns[turns.length - 1];
if (leaf) select(leaf);
buildOutline(0);
const asked = /^#t(\d+)$/.exec(location.hash);
if (asked && turns[asked[1]]) go(turns[asked[1]]);
})();
`;
