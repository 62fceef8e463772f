import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  getObject,
  getString,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../src/session/jsonl/edit/json.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { takeSome } from '../harness/runs.ts';
import { findLineFault } from '../../src/session/agents/codex/entry/fields/line-fields.ts';
import { FIXTURES, RECORDED } from '../session/agents/codex/corpus.ts';
import { DAMAGE, placeDamaged } from '../session/agents/codex/damage.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { mutate } from './mutate.ts';
import { compile, readSchema } from './schema.ts';

const schema = compile(readSchema('session/codex'));
/** The rules about what one line holds: a schema of lines can demand nothing else. */
const SHAPE_RULES: ReadonlySet<string> = new Set(['rollout-line-fields', 'rollout-header']);

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

function parse(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const findBySchema = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, index) => {
    const value = parse(line);
    return !isObject(value) || schema(value) ? [] : [index + 1];
  });

/** But for a first line of another type, which is a fault of the file. */
async function findByRules(path: string): Promise<readonly number[]> {
  const validation = await validateSession(path, { levels: new Map() });
  const found = (validation?.findings ?? []).filter(
    ({ rule, message }) => SHAPE_RULES.has(rule) && !message.startsWith('begins with'),
  );
  return [...new Set(found.map(({ line }) => line))].toSorted((a, b) => a - b);
}

const [HEADER = '', SECOND = ''] = readFileSync(
  join(FIXTURES, 'legacy-linear.jsonl'),
  'utf8',
).split('\n');

/** The longest recorded line of each type, of the line and what it holds. */
const SAMPLES: ReadonlyMap<string, JsonObject> = (() => {
  const samples = new Map<string, readonly [string, JsonObject]>();
  for (const { name } of RECORDED) {
    for (const text of readFileSync(join(FIXTURES, `${name}.jsonl`), 'utf8').split('\n')) {
      const value = parse(text);
      if (!isObject(value) || !isObject(value['payload'])) continue;
      const item = getObject(value['payload'], 'item') ?? {};
      const names = [value, value['payload'], item].map((one) => getString(one, 'type'));
      const kind = names.join(' ').trim();
      const known = samples.get(kind);
      if (!known || known[0].length < text.length) samples.set(kind, [text, value]);
    }
  }
  return new Map([...samples].map(([kind, [, value]]) => [kind, value]));
})();

const ATTRIBUTION: JsonObject = {
  turn_id: 'a',
  turn_trigger: 'b',
  parent_turn_id: 'c',
  initiating_agent_path: '/root/agent',
  root_turn_id: 'd',
};

/** A schema cannot compare the lengths of two lists. */
function hasEqualLists({ replacement_history: a, replacement_history_metadata: b }: JsonObject) {
  return !Array.isArray(b) || (Array.isArray(a) && a.length === b.length);
}

describe("the schema of Codex's rollouts", () => {
  it.each(RECORDED.map(({ name }) => name))(
    'and validate refuse the same lines of %s',
    async (name) => {
      const path = join(FIXTURES, `${name}.jsonl`);
      expect(findBySchema(readFileSync(path, 'utf8'))).toEqual(await findByRules(path));
    },
  );

  // A schema sees a line by itself: neither how a text is escaped, nor which form the other lines have.
  const isSeen = (what: string): boolean =>
    what !== 'half of a surrogate pair' && !/without (an envelope|a payload|members)$/.test(what);
  const damaged = DAMAGE.filter(({ what }) => isSeen(what));
  it('and validate refuse the same lines of each file that is damaged', async () => {
    for (const [at, damage] of damaged.entries()) {
      const path = await placeDamaged(join(dir, String(at)), damage);
      const { what } = damage;
      const lines = findBySchema(readFileSync(path, 'utf8').replace(/^\u{feff}/u, ''));
      expect({ what, lines }).toEqual({ what, lines: await findByRules(path) });
    }
  });

  it('and validate agree about every field of a compaction', () => {
    const line = SAMPLES.get('compacted') ?? {};
    const payload = line['payload'] as JsonObject;
    const { replacement_history_metadata: notes, resume_metadata: resumed } = payload;
    const ofOne = {
      ...payload,
      replacement_history: [{ type: 'compaction', encrypted_content: 'x' }],
      replacement_history_metadata: (notes as readonly JsonValue[]).slice(0, 1),
      resume_metadata: { ...(resumed as JsonObject), turn_attribution: ATTRIBUTION },
    };
    const differing = [...mutate(ofOne, [], 4)].filter((changed) => {
      const one = { ...line, payload: changed };
      return hasEqualLists(changed) && schema(one) !== (findLineFault(one) === undefined);
    });
    expect(differing).toEqual([]);
  });

  it.each([...SAMPLES.keys()])(
    'and validate agree whatever is wrong with a field: %s',
    async (kind) => {
      // What makes a line one in an envelope.
      const changes = [...mutate(SAMPLES.get(kind) ?? {}, ['type', 'payload'], 3)];
      for (const changed of takeSome(changes, 8)) {
        const isHeader = changed['type'] === 'session_meta';
        const line = JSON.stringify(changed);
        const text = `${(isHeader ? [line, SECOND] : [HEADER, line]).join('\n')}\n`;
        await writeFiles(dir, { 'rollout-x.jsonl': text });
        const found = await findByRules(join(dir, 'rollout-x.jsonl'));
        expect({ changed, lines: findBySchema(text) }).toEqual({ changed, lines: found });
      }
    },
  );
});
