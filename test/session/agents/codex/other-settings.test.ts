import { expect, it } from 'vitest';
import { listOtherSettings } from '../../../../src/session/agents/codex/places/database/settings.ts';

it('lists the settings of profiles, of the system, and of the projects that the user has named', () => {
  const text = [
    'model = "m" # [projects."/no"]',
    '[projects."/src/a \\"b\\""]',
    'trust_level = "trusted"',
    "[projects.'/src/c'] # written by hand",
    '[projects."/src/\\x"]',
    '[projects.plain]',
    '[profiles."/no"]',
  ].join('\n');
  expect(listOtherSettings('/h', ['config.toml', 'work.config.toml', 'auth.json'], text)).toEqual([
    '/h/work.config.toml',
    '/etc/codex/config.toml',
    '/etc/codex/managed_config.toml',
    '/src/a "b"/.codex/config.toml',
    '/src/c/.codex/config.toml',
  ]);
});
