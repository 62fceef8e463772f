/** One message as it stands on its line. */
export interface LoadedMessage {
  readonly type: string;
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly role: string;
  readonly content: unknown;
  readonly timestamp?: string;
  readonly sessionId?: string;
  readonly uiContent?: string;
}

/**
 * What Neovate 0.17.1 loads from the text of a session file, told again from its rules and sharing
 * nothing with coppice: every line that is not empty must parse; from the last message up to the
 * root; all lines whose uuid was met on the way, in file order.
 * @throws where the real one throws, and where it would never return.
 */
export function loadNeovate(text: string): readonly LoadedMessage[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const parsed = lines.map((line) => JSON.parse(line) as LoadedMessage);
  const messages = parsed.filter((line) => line.type === 'message');
  const byUuid = new Map(messages.map((message) => [message.uuid, message]));
  const path = new Set<string>();
  let at = messages.at(-1);
  while (at) {
    if (path.has(at.uuid)) throw new Error('never returns: the path goes in a circle');
    path.add(at.uuid);
    at = at.parentUuid === null ? undefined : byUuid.get(at.parentUuid);
  }
  return messages.filter(({ uuid }) => path.has(uuid));
}

/** The settings that it reads: of the first line that parses and holds some. */
export function loadConfig(text: string): Readonly<Record<string, unknown>> | undefined {
  for (const line of text.split('\n')) {
    try {
      const parsed = JSON.parse(line) as { type: string; config: Record<string, unknown> };
      if (parsed.type === 'config') return parsed.config;
    } catch {
      // As the real one: settings survive a line that is broken.
    }
  }
  return undefined;
}

/** Whom the next message that is typed hangs on: the last of the path. */
export function findNextParent(text: string): string | null {
  return loadNeovate(text).at(-1)?.uuid ?? null;
}
