import { readFileSync } from 'node:fs';

/** The version of the package that this file belongs to. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own package.json
  const { version } = JSON.parse(text) as { version: string };
  return version;
}
