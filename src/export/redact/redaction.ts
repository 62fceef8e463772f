// A file of its own: the declarations of the library lead here, and not to the redactor.

/** The place at which one secret was taken out; never the secret. */
export interface Redaction {
  readonly rule: string;
  /** The number of the secret in its session, from 1: the same wherever it stands again. */
  readonly secret: number;
  /** 1-based line of the session file; 0 for facts about the session as a whole, and for sub-agents. */
  readonly line: number;
  /** A path such as `message.content[0].text`. */
  readonly field: string;
  readonly count: number;
}
