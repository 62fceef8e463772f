import {
  isObject,
  type JsonObject,
  type JsonValue,
  listObjects,
} from '../../../../jsonl/edit/json.ts';
import { joinTexts } from '../../entry/join-texts.ts';

/**
 * All system messages of a context replayed into one: text appended, sections patched by name,
 * tools added and taken away. As `getCurrentSystemMessage` of pi-ai 1.6.0; undefined without any.
 */
export function getCurrentSystemMessage(messages: readonly JsonObject[]): JsonObject | undefined {
  const systems = messages.filter((message) => message['role'] === 'system');
  const [first] = systems;
  if (!first) return undefined;
  const sections = replaySections(systems);
  const tools = replayTools(systems);
  return {
    role: 'system',
    content: systems
      .map(({ content }) => joinTexts(content, '\n'))
      .filter(Boolean)
      .join('\n\n'),
    ...(sections.size > 0 && { sections: Object.fromEntries(sections) }),
    ...(tools.size > 0 && { toolsAdded: [...tools.values()] }),
    timestamp: first['timestamp'] ?? 0,
  };
}

function replaySections(systems: readonly JsonObject[]): ReadonlyMap<string, JsonValue> {
  const sections = new Map<string, JsonValue>();
  for (const { sections: patch } of systems) {
    for (const [name, value] of Object.entries(isObject(patch) ? patch : {})) {
      if (value === null || value === undefined) sections.delete(name);
      else sections.set(name, value);
    }
  }
  return sections;
}

function replayTools(
  systems: readonly JsonObject[],
): ReadonlyMap<JsonValue | undefined, JsonValue> {
  const tools = new Map<JsonValue | undefined, JsonValue>();
  for (const { toolsAdded, toolsRemoved } of systems) {
    for (const tool of listObjects(toolsRemoved)) tools.delete(tool['name']);
    for (const tool of listObjects(toolsAdded)) tools.set(tool['name'], tool);
  }
  return tools;
}
