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
