// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LICENCE = /^(licen[cs]e|copying|notice)(\.(md|txt|markdown))?$/i;

/**
 * What the licenses of bundled packages demand to be passed on with their code.
 *
 * @param {readonly string[]} modules paths of everything that was bundled
 * @returns {string}
 */
export function formatNotices(modules) {
  const folders = new Set(modules.flatMap((path) => findPackage(path) ?? []));
  const notices = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const files = readdirSync(folder).filter((file) => LICENCE.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license ?? 'no license named'})`, ...texts].join('\n\n');
  });
  return `${notices.toSorted().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/**
 * @param {string} path
 * @returns {string | undefined} the folder of the installed package that a module belongs to
 */
function findPackage(path) {
  if (!path.includes('node_modules')) return undefined;
  let folder = dirname(path);
  for (;;) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && 'version' in JSON.parse(readFileSync(file, 'utf8'))) return folder;
    folder = dirname(folder);
  }
}
