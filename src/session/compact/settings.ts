import { UsageError } from '../../errors.ts';
import {
  type CompactionDialect,
  type CompactionSettings,
  DEFAULT_CONTEXT_WINDOW,
} from '../dialect/compaction.ts';
import type { StoreWorld } from '../dialect/surroundings/world.ts';
import type { ModelRef } from '../model/entry.ts';
import type { CompactOptions } from './compact-session.ts';

/** How many tokens models take. */
export interface Window {
  /** Undefined where it is for every model. */
  readonly fits: ((model: string) => boolean) | undefined;
  readonly tokens: number;
}

/** The settings of a caller, which come before those of agents. */
export interface GivenSettings {
  readonly windows: readonly Window[];
  /** Undefined: as the agent's settings have it. */
  readonly keepRecentTokens: number | undefined;
  /** Undefined: as the agent's settings have it. */
  readonly reserveTokens: number | undefined;
}

/** Many sessions share a few settings files. */
export function rememberSettings(
  readSettings: StoreWorld['readSettings'],
): StoreWorld['readSettings'] {
  const known = new Map<string, ReturnType<typeof readSettings>>();
  return (path) => {
    const settings = known.get(path) ?? readSettings(path);
    known.set(path, settings);
    return settings;
  };
}

/** Makes the finder of the settings for a session: the caller's, and else its agent's. */
export function createSettings(
  { keepRecentTokens, reserveTokens }: GivenSettings,
  world: StoreWorld,
): (
  dialect: CompactionDialect,
  cwd: string,
  model: ModelRef | null,
) => Promise<CompactionSettings> {
  return async (dialect, cwd, model) => {
    const settings = await dialect.readSettings(world, cwd, model);
    const { enabled, due = settings } = settings;
    return {
      enabled,
      keepRecentTokens: keepRecentTokens ?? settings.keepRecentTokens,
      reserveTokens: reserveTokens ?? settings.reserveTokens,
      due: { enabled: due.enabled, reserveTokens: reserveTokens ?? due.reserveTokens },
    };
  };
}

type ContextWindowOf = CompactOptions['contextWindowOf'];

/** Makes the finder of a model's window: by the command line, the session, the agent, or the default. */
export function createWindows(
  { windows, reserveTokens }: Pick<GivenSettings, 'windows' | 'reserveTokens'>,
  world: StoreWorld,
): ContextWindowOf {
  const findWindow: ContextWindowOf = async (dialect, model, stated) => {
    const name = `${model?.provider ?? ''}/${model?.modelId ?? ''}`;
    const given = windows.find(({ fits }) => fits?.(name)) ?? windows.find(({ fits }) => !fits);
    if (given) return given.tokens;
    if (stated !== undefined) return stated;
    const ownWindow = model ? await dialect.readContextWindow(world, model) : undefined;
    return ownWindow ?? DEFAULT_CONTEXT_WINDOW;
  };
  return async (dialect, model, stated) => {
    const window = await findWindow(dialect, model, stated);
    if (reserveTokens === undefined || reserveTokens < window) return window;
    throw new UsageError(
      `--reserve-tokens ${reserveTokens}: expected less than the context window, ${window}`,
    );
  };
}
