import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { KNOWN_SECRETS } from './known-secrets.ts';

/** A secret and the rule that knows it, named in kebab case. */
export interface Secret {
  readonly rule: string;
  readonly value: string;
}

export type SecretDetector = (text: string) => Promise<readonly Secret[]>;

/** A shorter find is no secret, and taking it out would mangle the text. */
const MIN_LENGTH = 6;

/**
 * Finds secrets by secretlint's recommended rules and our own. Offline. The rule that lets a text
 * switch the others off by a comment is left out: the text is not ours.
 */
export function createSecretDetector(): SecretDetector {
  const active = rules.filter(({ meta }) => !meta.id.endsWith('filter-comments'));
  const config = {
    rules: active.map((rule) => ({
      id: rule.meta.id,
      rule,
      options: rule.meta.id.endsWith('-rule-aws') ? { enableIDScanRule: true } : {},
    })),
  };
  return async (text) => {
    const source = {
      content: text,
      filePath: 'session.txt',
      ext: '.txt',
      contentType: 'text',
    } as const;
    const { messages } = await lintSource({
      source,
      options: { config, noPhysicFilePath: true, maskSecrets: false },
    });
    const found = messages.map(({ messageId, data, range: [start, end] }) => ({
      rule: toRuleName(messageId),
      value: findValue(text, data) ?? text.slice(start, end),
    }));
    return [...found, ...findKnown(text)].filter(({ value }) => value.length >= MIN_LENGTH);
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
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}
