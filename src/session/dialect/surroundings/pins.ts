/** The list in which an agent keeps the sessions that its user has pinned. */
export interface PinDialect {
  /** Returns the file with that list for the session at a path; undefined where there is none. */
  findFile(path: string): string | undefined;
  /** Returns the ids in it; undefined where the text is not understood. */
  read(text: string): ReadonlySet<string> | undefined;
}
