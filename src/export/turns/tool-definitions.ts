import type { Turn } from '../../session/model/text/conversation.ts';
import { getObject, getString, type JsonObject } from '../../session/jsonl/edit/json.ts';

export interface ToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
  };
}

/** The tools that a session declares, as OpenAI's API has them; later declarations count. */
export class ToolDefinitions {
  readonly #byName = new Map<string, ToolDefinition>();

  /** A tool that is taken away later was there when it was called, and is kept. */
  add(turn: Turn): void {
    if (turn.role !== 'system') return;
    for (const tool of turn.toolsAdded) {
      const name = getString(tool, 'name');
      if (name === undefined) continue;
      const description = getString(tool, 'description') ?? '';
      const parameters = getObject(tool, 'parameters') ?? { type: 'object', properties: {} };
      this.#byName.set(name, {
        type: 'function',
        function: { name: toFunctionName(name), description, parameters },
      });
    }
  }

  get list(): readonly ToolDefinition[] {
    return [...this.#byName.values()];
  }
}

/** OpenAI takes letters, digits, `_` and `-`, 64 of them at most. */
export function toFunctionName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_';
}
