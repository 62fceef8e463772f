/** A kind of secret that is told by its shape. */
export interface SecretPattern {
  readonly rule: string;
  /** Global; the group `secret` is what must go, or else the whole match. */
  readonly pattern: RegExp;
}

/**
 * What secretlint's recommended rules do not look for, or only in a stricter shape. Each pattern is
 * anchored on a prefix that ordinary text does not have, and runs in linear time on any input.
 */
export const KNOWN_SECRETS: readonly SecretPattern[] = [
  {
    rule: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]+(?:-[^-]+){0,12}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    rule: 'json-web-token',
    pattern: /(?:(?<![\w-])eyJ[\w-]{10,}|eyJ[\w-]{10,256})\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  },
  { rule: 'bearer-token', pattern: /\bBearer\s{1,4}(?<secret>(?=[\w.~+/-]*\d)[\w.~+/-]{20,}=*)/gi },
  { rule: 'google-api-key', pattern: /\bAIza[\w-]{35}(?![\w-])/g },
  { rule: 'google-access-token', pattern: /\bya29\.[\w-]{20,}/g },
  { rule: 'stripe-key', pattern: /\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}/g },
  { rule: 'provider-api-key', pattern: /\bsk-(?:[a-z0-9]{2,8}-){0,3}(?=\w*\d)\w{20,}/gi },
  { rule: 'xai-api-key', pattern: /\bxai-[A-Za-z0-9]{40,}/g },
  { rule: 'huggingface-token', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { rule: 'replicate-token', pattern: /\br8_[A-Za-z0-9]{30,}/g },
  { rule: 'telegram-bot-token', pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g },
];

/** Members whose name says that the value is secret. */
const SECRET_MEMBER =
  /^(?:.*[-_.])?(?:password|passwd|passphrase|secret|client[-_]?secret|api[-_]?key|access[-_]?token|refresh[-_]?token|auth[-_]?token|private[-_]?key|authorization)$/i;
/** Shorter ones are rarely secrets, and would be found all over the text. */
const MIN_LENGTH = 8;
/** Names of variables and placeholders: the secret is elsewhere. */
const PLACEHOLDER =
  /^[$<{[%*]|^(?:process\.env|env|os\.environ|your|example|null|undefined|true|false)\b|^\*+$/i;

/** Whether a member of a JSON object is a secret by its name, as `{"password": "…"}`. */
export function isSecretMember(key: string, value: string): boolean {
  if (value.length < MIN_LENGTH || value.length > 4096 || !SECRET_MEMBER.test(key)) return false;
  return !PLACEHOLDER.test(value) && !/\s/.test(value.trim());
}
