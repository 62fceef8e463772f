/** A directory that is made of sources, and kept until they change. */
export interface Made {
  readonly directory: string;
  /** The file beside which a lock is kept as well. */
  readonly state: string;
  /** Everything that it is made of, from the root of the project. */
  readonly sources: readonly string[];
  /** Into a directory beside it that is not there yet. */
  make(to: string): Promise<void>;
}

/** Makes it, unless it is what the sources make already. */
export function keep(made: Made, options?: { readonly isForced?: boolean }): Promise<void>;
