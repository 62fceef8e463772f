/** Builds `dist`, unless it is what the sources make already. */
export function build(options?: { readonly isForced?: boolean }): Promise<void>;
