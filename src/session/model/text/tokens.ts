const CHARACTERS_PER_TOKEN = 4;

/** Tokens of so many UTF-16 code units, as pi reckons: a quarter of them, rounded up. */
export function toTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** How many UTF-16 code units a number of tokens allows. */
export function toCharacters(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}
