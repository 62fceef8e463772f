import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { describe, expect, it, vi } from 'vitest';
import { HOSTILE_PIECES, repeatPiece } from '../../../scripts/bench/hostile-texts.mjs';
import marks from '../../../src/export/redact/secrets/marks.json' with { type: 'json' };
import {
  detectSecrets,
  type SecretDetector,
} from '../../../src/export/redact/secrets/detect-secrets.ts';
import { findMarks } from '../../../src/export/redact/secrets/marks.ts';
import { NAME_MARKS } from '../../../src/export/redact/secrets/secret-names.ts';
import { readAs } from '../../../src/export/redact/text/read-as.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { sized } from '../../harness/runs.ts';
import { checkPattern } from '../../lint/check-pattern.ts';

/** Secretlint's rules see no more at once, and this much of it again. */
const WINDOW = 65_536;
const OVERLAP = 8192;
/** Of a hostile text; what grows with the square would do millions of steps for it. */
const LENGTH = sized(2000, 5000);

/** As if every mark stood in every text, so that every pattern is looked for. */
const { marks: everyMark } = findMarks([...NAME_MARKS, ...Object.values(marks).flat(2)].join('\n'));
const askAll: SecretDetector = async (readings) =>
  detectSecrets(readings, (text) => ({ ...findMarks(text), marks: everyMark }));

interface Work {
  /** Characters that searches passed over, and the searches. */
  visits: number;
  /** The longest text that each pattern was looked for in. */
  readonly longest: Map<string, { readonly pattern: RegExp; length: number }>;
}

/**
 * Counts what searches pass over, of patterns and of strings. Where each pattern is linear or sees
 * bounded texts, redaction takes time in proportion to that.
 */
async function countWork(run: () => Promise<unknown>): Promise<Work> {
  const work: Work = { visits: 0, longest: new Map() };
  // oxlint-disable-next-line typescript/unbound-method -- called with the text or pattern below
  const { exec } = RegExp.prototype;
  // oxlint-disable-next-line typescript/unbound-method
  const { indexOf, lastIndexOf, includes } = String.prototype;
  const note = (pattern: RegExp, { length }: string): void => {
    const key = `/${pattern.source}/${pattern.flags}`;
    const known = work.longest.get(key);
    if (!known) work.longest.set(key, { pattern, length });
    else if (length > known.length) known.length = length;
  };
  const restore = [
    // Whatever searches for a pattern calls this.
    replace(RegExp.prototype, 'exec', function count(this: RegExp, text: string) {
      const from = this.global || this.sticky ? this.lastIndex : 0;
      const match = exec.call(this, text);
      const missed = this.sticky ? from : text.length;
      const end = match ? match.index + match[0].length : missed;
      work.visits += 1 + end - from;
      note(this, text);
      return match;
    }),
    replace(String.prototype, 'indexOf', function count(this: string, word: string, at = 0) {
      const found = indexOf.call(this, word, at);
      work.visits += 1 + (found === -1 ? this.length : found) - at;
      return found;
    }),
    replace(
      String.prototype,
      'lastIndexOf',
      function count(this: string, word: string, at = this.length) {
        const found = lastIndexOf.call(this, word, at);
        work.visits += 1 + at - found;
        return found;
      },
    ),
    replace(String.prototype, 'includes', function count(this: string, word: string, at = 0) {
      work.visits += 1 + this.length - at;
      return includes.call(this, word, at);
    }),
  ];
  try {
    await run();
  } finally {
    for (const undo of restore) undo();
  }
  return work;
}

function replace(on: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(on, name) ?? {};
  Object.defineProperty(on, name, { ...before, value });
  return () => {
    Object.defineProperty(on, name, before);
  };
}

async function redact(content: string, detect = askAll): Promise<void> {
  const payload = { type: 'message', id: 'aaaaaaa1', message: { role: 'user', content } };
  const redactor = new Redactor(detect, []);
  await redactor.learn(payload, 1);
  await redactor.redact(payload, 1);
}

describe('redaction of hostile text', () => {
  it.each(Object.entries(HOSTILE_PIECES))(
    'does twice as much for twice as much of it: %s',
    async (_kind, piece) => {
      const count = async (length: number): Promise<number> =>
        (await countWork(() => redact(repeatPiece(piece, length)))).visits;
      const [once, twice] = [await count(LENGTH), await count(2 * LENGTH)];
      expect(twice).toBeLessThan(2.1 * once + 100_000);
    },
  );

  it('does little more than that for a long one of collections in each other', async () => {
    const piece = HOSTILE_PIECES['collections in each other'] ?? '';
    const count = async (length: number): Promise<number> => {
      const text = repeatPiece(piece, length);
      return (await countWork(() => redact(text, detectSecrets))).visits;
    };
    const [once, twice] = [await count(24_000), await count(48_000)];
    expect(twice).toBeLessThan(2.5 * once);
  });

  it('looks for patterns that may be slow in bounded pieces of it only', async () => {
    const pieces = Object.values(HOSTILE_PIECES).map((piece) => repeatPiece(piece, 2000));
    const { longest } = await countWork(() => redact(pieces.join(' ')));
    const unbounded = [...longest.values()].filter(({ length }) => length > WINDOW);
    const slow = unbounded.flatMap(({ pattern: { source, flags } }) =>
      checkPattern(source, flags).map((reason) => `/${source}/${flags}: ${reason}`),
    );
    expect(slow).toEqual([]);
    expect(unbounded.length).toBeGreaterThan(300);
    expect(longest.size - unbounded.length).toBeGreaterThan(50);
  });
});

describe('the rules of secretlint', () => {
  it('see windows of a bounded size, which overlap by enough', async () => {
    const rule = rules.find(({ meta }) => meta.id.endsWith('rule-slack'));
    if (!rule) throw new Error('expected the rule for Slack');
    const seen: string[] = [];
    const create = rule.create.bind(rule);
    const spy = vi.spyOn(rule, 'create').mockImplementation((context, options) => {
      const handlers = create(context, options);
      return {
        file: (source) => {
          seen.push(source.content);
          return handlers.file?.(source);
        },
      };
    });
    const text = `${Array.from({ length: 40_000 }, (_, at) => `w${at}`).join(' ')} xoxb-`;
    try {
      // One that has not made any of the rules yet.
      vi.resetModules();
      const anew = await import('../../../src/export/redact/secrets/detect-secrets.ts');
      await anew.detectSecrets(readAs(text));
    } finally {
      spy.mockRestore();
    }
    const step = WINDOW - OVERLAP;
    const count = Math.ceil((text.length - OVERLAP) / step);
    expect(seen).toEqual(
      Array.from({ length: count }, (_, at) => text.slice(at * step, at * step + WINDOW)),
    );
    expect(count).toBeGreaterThan(3);
  });

  it.each([WINDOW - OVERLAP, WINDOW, 2 * (WINDOW - OVERLAP)])(
    'find what stands on the border at %i',
    async (border) => {
      // No pattern of ours finds it.
      const secret = 'AWS_ACCOUNT_ID=1234-5678-9012';
      for (let before = 0; before <= secret.length; before += sized(7, 4)) {
        const start = border - before;
        const text = `${' '.repeat(start)}${secret}${' '.repeat(WINDOW)}`;
        const found = await detectSecrets(readAs(text));
        const ends = found.map(({ rule, end }) => `${rule} ${end}`);
        expect([...new Set(ends)]).toEqual([`aws-account-id ${start + secret.length}`]);
      }
    },
  );
});
