import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/session/jsonl/edit/json.ts';
import { readContextWindow } from '../../../../../src/session/agents/pi/compaction/tokens/context-window.ts';
import { readCompactionSettings } from '../../../../../src/session/agents/pi/compaction/settings.ts';

const MODEL = { provider: 'anthropic', modelId: 'claude' };
const DEFAULTS = { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 };

function createWorld(files: Readonly<Record<string, JsonObject>>) {
  return {
    env: { PI_CODING_AGENT_DIR: '/agent' },
    home: '/home/me',
    cwd: '/elsewhere',
    readSettings: (path: string) => Promise.resolve(files[path]),
  };
}

function read(agent: JsonObject | undefined, project?: JsonObject, model = MODEL) {
  const files = {
    ...(agent && { '/agent/settings.json': { compaction: agent } }),
    ...(project && { '/work/.pi/settings.json': { compaction: project } }),
  };
  return readCompactionSettings(createWorld(files), '/work', model);
}

describe('readCompactionSettings', () => {
  it.each([
    ['the defaults without a file', undefined, undefined, {}],
    ["the agent's settings", { reserveTokens: 1 }, undefined, { reserveTokens: 1 }],
    [
      "the project's on top, field by field",
      { reserveTokens: 1, keepRecentTokens: 2 },
      { keepRecentTokens: 3, enabled: false },
      { reserveTokens: 1, keepRecentTokens: 3, enabled: false },
    ],
    [
      'the override for the model over both',
      { modelOverrides: { 'anthropic/claude': { reserveTokens: 7 } } },
      { reserveTokens: 3 },
      { reserveTokens: 7 },
    ],
    [
      "the project's override over the agent's",
      { modelOverrides: { 'anthropic/claude': { reserveTokens: 7, keepRecentTokens: 8 } } },
      { modelOverrides: { 'anthropic/claude': { reserveTokens: 9 } } },
      { reserveTokens: 9, keepRecentTokens: 8 },
    ],
    [
      'nothing of the override for another model',
      { modelOverrides: { 'openai/claude': { reserveTokens: 7 } } },
      undefined,
      {},
    ],
  ])('uses %s', async (_, agent, project, expected) => {
    expect(await read(agent, project)).toMatchObject({ ...DEFAULTS, ...expected });
  });

  it.each([
    ["the agent's, whatever a project says", { reserveTokens: 1 }, { reserveTokens: 9 }, true],
    ['off where the project turns it off', { reserveTokens: 1 }, { enabled: false }, false],
    [
      'off where only the project turns it on',
      { enabled: false, reserveTokens: 1 },
      { enabled: true },
      false,
    ],
  ])('decide when a session is due: %s', async (_, agent, project, enabled) => {
    const { due } = await read(agent, project);
    expect(due).toEqual({ enabled, reserveTokens: 1 });
  });

  it('does not read settings below a relative working directory', async () => {
    const world = createWorld({
      'work/.pi/settings.json': { compaction: { keepRecentTokens: 3 } },
    });
    expect(await readCompactionSettings(world, 'work', MODEL)).toMatchObject(DEFAULTS);
  });

  it('takes no model for a key that every object has', async () => {
    const model = { provider: '__proto__', modelId: 'x' };
    expect(await read({ modelOverrides: {} }, undefined, model)).toMatchObject(DEFAULTS);
  });

  it.each([-1, 1.5, '20000', null])('refuses %j for a number of tokens', async (tokens) => {
    await expect(read({ keepRecentTokens: tokens })).rejects.toThrow(
      'compaction.keepRecentTokens in the settings: needs a whole number of tokens',
    );
  });
});

describe('readContextWindow', () => {
  const models = {
    providers: {
      anthropic: {
        models: [{ id: 'claude', contextWindow: 50_000 }, { id: 'other' }],
        modelOverrides: { haiku: { contextWindow: 60_000 } },
      },
    },
  };
  const world = createWorld({ '/agent/models.json': models });

  it.each([
    ['claude', 50_000],
    ['haiku', 60_000],
    ['other', undefined],
    ['constructor', undefined],
  ])('tells what models.json says of %s: %s', async (modelId, expected) => {
    expect(await readContextWindow(world, { provider: 'anthropic', modelId })).toBe(expected);
  });

  it('knows nothing of a provider that is not there', async () => {
    expect(await readContextWindow(world, { provider: '__proto__', modelId: 'x' })).toBeUndefined();
  });
});
