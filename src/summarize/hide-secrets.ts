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
    hidden = hideOne(hidden, secret);
  }
  return hidden;
}

/** Hides a whole secret in a summary. Text that only begins like it is kept: it may be the beginning of a word. */
export function hideWhole(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < MIN_LENGTH) return text;
  return text.replaceAll(secret, () => '***');
}

function hideOne(text: string, secret: string): string {
  const begin = secret.slice(0, MIN_LENGTH);
  const kept: string[] = [];
  let done = 0;
  for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, done)) {
    let end = at;
    while (end - at < secret.length && text[end] === secret[end - at]) end += 1;
    kept.push(text.slice(done, at));
    done = end;
  }
  const hidden = [...kept, text.slice(done)].join('***');
  // A secret of asterisks.
  return hidden.includes(begin) ? '***' : hidden;
}
