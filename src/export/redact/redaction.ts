/** Where secrets of one kind were taken out; never what they were. */
export interface Redaction {
  readonly rule: string;
  /** 1-based line of the session file; 0 for facts about the session as a whole. */
  readonly line: number;
  /** As `message.content[0].text`. */
  readonly field: string;
  readonly count: number;
}
