import type { Entry } from '../model/entry.ts';
import type { ContextSettings } from './dialect.ts';

/** Returns the settings that a path ends with, for agents that record with each answer its model, and no thinking level. */
export function getModelSettings(path: readonly Entry[]): ContextSettings {
  const answered = path.findLast(({ model }) => model?.modelId !== undefined);
  return { thinkingLevel: 'off', model: answered?.model ?? null };
}
