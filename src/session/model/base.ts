/** The beginning of another file, which a session goes on from and does not hold. */
export interface Base {
  /** By which the file is known. */
  readonly id: string;
  /** How many bytes of it, of its text where it is compressed. */
  readonly end: number;
}
