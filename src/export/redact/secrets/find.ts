import type { Range } from '../text/view.ts';

/** A secret in a text, and the rule that knows it, named in kebab case. */
export interface Find extends Range {
  readonly rule: string;
}

/** A kind of secret that its shape, or what stands around it, gives away. */
export interface SecretPattern {
  readonly rule: string;
  /**
   * Global, linear; the group `secret` is what must go, or else the whole match. With the flag `d`
   * where the group is not within the match.
   */
  readonly pattern: RegExp;
  /** Judges the value, if ordinary words stand there, too. */
  readonly isSecret?: (value: string) => boolean;
}
