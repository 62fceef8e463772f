/** Sorts and filters the list of sessions; without it the list is there as it is. */
export const OVERVIEW_SCRIPT = String.raw`'use strict';
(() => {
const table = document.getElementById('sessions'), body = table.tBodies[0];
const rows = [...body.rows];
[...table.tHead.rows[0].cells].forEach((head, column) => head.firstChild.addEventListener('click', () => {
  const down = head.getAttribute('aria-sort') !== 'descending';
  for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const key = (row) => row.cells[column].dataset.k ?? row.cells[column].textContent;
  const compare = head.classList.contains('n') ? (a, b) => Number(key(a)) - Number(key(b)) : (a, b) => key(a).localeCompare(key(b));
  rows.sort((a, b) => (down ? -1 : 1) * compare(a, b));
  body.append(...rows);
}));
document.getElementById('filter').addEventListener('input', (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});
})();
`;
