import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Debian puts it here, and a link in PATH only with the package `wine`. */
const DEBIAN = '/usr/lib/wine';

/** How programs are started under Wine; `WINEPREFIX` is the directory of its own. */
export const WINE_ENV = {
  WINEARCH: 'win64',
  WINEDEBUG: '-all',
  // No browser and no .NET: nothing here asks for them.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  DISPLAY: '',
  // Names of files are in UTF-8.
  LANG: 'C.UTF-8',
  // Wine is none of the systems that Node supports.
  NODE_SKIP_PLATFORM_CHECK: '1',
} as const;

let prefix: string | undefined;

/** Makes a Windows of its own for a run, and takes it away after it. */
export function setup(): void {
  // A person who tries one test again and again keeps one.
  if (process.env['COPPICE_WINE_PREFIX'] !== undefined) {
    process.env['COPPICE_WINE'] = find('wine64');
    return;
  }
  prefix = mkdtempSync(join(tmpdir(), 'coppice-wine-'));
  const wine = find('wine64');
  Object.assign(process.env, { COPPICE_WINE: wine, COPPICE_WINE_PREFIX: prefix });
  const env = { ...process.env, ...WINE_ENV, WINEPREFIX: prefix };
  const { status, stderr } = spawnSync(wine, ['wineboot', '-i'], { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`wine does not start: ${stderr}`);
}

export function teardown(): void {
  if (prefix === undefined) return;
  const env = { ...process.env, WINEPREFIX: prefix };
  spawnSync(find('wineserver'), ['-k', '-w'], { stdio: 'ignore', env });
  rmSync(prefix, { recursive: true, force: true });
}

function find(name: string): string {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), DEBIAN];
  const path = places.map((place) => join(place, name)).find((one) => existsSync(one));
  if (path === undefined) throw new Error(`${name} is not installed: apt-get install wine64`);
  return path;
}
