import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintSourceCode } from '@secretlint/types';
import { KNOWN_SECRETS } from './known-secrets.ts';

/** A secret and the rule that knows it, named in kebab case. */
export interface Secret {
  readonly rule: string;
  readonly value: string;
}

export type SecretDetector = (text: string) => Promise<readonly Secret[]>;

/** A shorter find is no secret, and taking it out would mangle the text. */
const MIN_LENGTH = 6;

/** Some keys are told by their context only; we would rather take out one too many. */
const OPTIONS = { enableIDScanRule: true };
/** Lets a text switch the other rules off by a comment: the text is not ours. */
const active = rules.filter(({ meta }) => !meta.id.endsWith('filter-comments'));

/**
 * Finds secrets by secretlint's recommended rules and our own. Offline.
 *
 * Runs the rules without secretlint's core, whose profiler keeps a mark for every rule and text and
 * searches all of them at the next: quadratic over a session (12.0.0).
 */
export async function detectSecrets(text: string): Promise<readonly Secret[]> {
  const found: Secret[] = [];
  const source = toSource(text);
  for (const rule of active) {
    const handlers = rule.create(
      {
        sharedOptions: {},
        createTranslator: () => (messageId, data) => ({
          message: '',
          messageId: String(messageId),
          data,
        }),
        ignore: () => undefined,
        report: ({ message: { messageId, data }, range: [start, end] }) => {
          const value = findValue(text, data) ?? text.slice(start, end);
          found.push({ rule: toRuleName(messageId), value });
        },
      },
      OPTIONS,
    );
    await handlers.file?.(source);
  }
  return [...found, ...findKnown(text)].filter(({ value }) => value.length >= MIN_LENGTH);
}

/** Only for rules that ask where in a file something is, which we do not. */
const NOWHERE = { line: 1, column: 0 };

function toSource(content: string): SecretLintSourceCode {
  return {
    hasBOM: false,
    content,
    filePath: 'session.txt',
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '.txt',
    getFilePath: () => 'session.txt',
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: NOWHERE, end: NOWHERE }),
    positionToIndex: () => 0,
    indexToPosition: () => NOWHERE,
  };
}

/** The secret itself is in the data; some rules give a range that begins before it. */
function findValue(text: string, data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const values = Object.values(data).filter((value) => typeof value === 'string');
  const inText = values.filter((value) => value.length >= MIN_LENGTH && text.includes(value));
  return inText.toSorted((a, b) => b.length - a.length)[0];
}

function* findKnown(text: string): Generator<Secret> {
  for (const { rule, pattern } of KNOWN_SECRETS) {
    for (const match of text.matchAll(pattern)) {
      yield { rule, value: match.groups?.['secret'] ?? match[0] };
    }
  }
}

/** `GITHUB_TOKEN` → `github-token`, `AWSAccessKeyID` → `aws-access-key-id`. */
function toRuleName(messageId: string): string {
  return messageId
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}
