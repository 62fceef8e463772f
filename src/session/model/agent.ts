/** The agents whose sessions we know, in the order in which a line is offered to their dialects. */
export const agents = ['pi', 'neovate', 'claude-code', 'codex'] as const;

export type Agent = (typeof agents)[number];
