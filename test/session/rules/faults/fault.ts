/** One thing that is wrong with an otherwise healthy session, and what is to be said of it. */
export interface Fault {
  readonly rule: string;
  readonly what: string;
  readonly session: string | Buffer;
  readonly line: number;
  /** What necessarily comes along, as `<line> <rule>`. */
  readonly also?: readonly string[];
  readonly maxLineBytes?: number;
  /** Where the file is, if not where pi would keep it. */
  readonly place?: { readonly directory?: string; readonly name?: string };
}
