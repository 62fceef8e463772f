/** Shorter values are in ordinary words. */
const MIN_LENGTH = 8;

/**
 * Text that others have written, without these secrets: endpoints and programs repeat what they were
 * given. Goes by their first characters, so that one which was cut off is hidden too.
 */
export function hideSecrets(text: string, secrets: Iterable<string | undefined>): string {
  let hidden = text;
  for (const secret of secrets) {
    if (secret === undefined || secret.length < MIN_LENGTH) continue;
    const begin = secret.slice(0, MIN_LENGTH);
    for (let at = hidden.indexOf(begin); at !== -1; at = hidden.indexOf(begin, at)) {
      let end = at;
      while (end - at < secret.length && hidden[end] === secret[end - at]) end += 1;
      hidden = `${hidden.slice(0, at)}***${hidden.slice(end)}`;
    }
  }
  return hidden;
}
