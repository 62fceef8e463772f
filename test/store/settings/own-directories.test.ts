import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findCacheDirectory,
  getUserConfigPath,
} from '../../../src/store/settings/own-directories.ts';
import { makeTempDir } from '../../temp-dir.ts';

// Absolute on the system that the tests run on: what Windows has there is shown by test/windows.
const WINDOWS = {
  platform: 'win32',
  env: { LOCALAPPDATA: '/u/AppData/Local', APPDATA: '/u/AppData/Roaming' },
  home: '/u',
} as const;

describe('where caches are', () => {
  it.each([
    ['linux', '.cache/coppice'],
    ['darwin', 'Library/Caches/coppice'],
    ['win32', '.cache/coppice'],
  ] as const)('is on %s in the home directory: %s', async (platform, path) => {
    const home = await makeTempDir();
    expect(findCacheDirectory({ env: {}, home, platform })).toBe(join(home, path));
    expect(findCacheDirectory({ env: {}, home: join(home, 'none'), platform })).toBeUndefined();
  });

  it('is where XDG or Windows names a directory', () => {
    const { env } = WINDOWS;
    expect(findCacheDirectory(WINDOWS)).toBe('/u/AppData/Local/coppice/Cache');
    const named = { ...WINDOWS, env: { ...env, XDG_CACHE_HOME: '/c' } };
    expect(findCacheDirectory(named)).toBe('/c/coppice');
    const home = '/nowhere';
    for (const name of ['XDG_CACHE_HOME', 'LOCALAPPDATA']) {
      expect(findCacheDirectory({ ...WINDOWS, home, env: { [name]: 'rel' } })).toBeUndefined();
    }
  });
});

it('has the configuration of a person in the home directory, or where XDG or Windows names one', async () => {
  const home = await makeTempDir();
  mkdirSync(join(home, 'Library'));
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const own = join(home, '.config', 'coppice', 'config.json');
    expect(getUserConfigPath({ env: {}, home, platform })).toBe(own);
    expect(getUserConfigPath({ env: { XDG_CONFIG_HOME: 'rel' }, home, platform })).toBe(own);
  }
  expect(getUserConfigPath(WINDOWS)).toBe('/u/AppData/Roaming/coppice/config.json');
  const named = { ...WINDOWS, env: { ...WINDOWS.env, XDG_CONFIG_HOME: '/c' } };
  expect(getUserConfigPath(named)).toBe('/c/coppice/config.json');
});
