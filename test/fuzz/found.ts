/** What fuzzing has found, so that it is never found again. */
export const FOUND: readonly {
  readonly name: string;
  readonly argv: readonly string[];
  /** One character a byte. */
  readonly bytes: string;
  readonly reads: boolean;
}[] = [];
