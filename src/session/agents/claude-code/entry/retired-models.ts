/** Models that Claude Code 2.1.330 no longer offers. */
const RETIRED = /^claude-(?:[123]|instant|(?:opus|sonnet)-4(?:-0|-1|-20250514|-20250805|$))/;

/** Returns whether a model is no longer to be had, so that 2.1.330 continues with another one. */
export function isRetired(model: string): boolean {
  return RETIRED.test(model);
}
