import { TooLargeError } from './read-body.ts';

const DATA = 'data:';

/**
 * The `data` of server-sent events, as they come in. Cuts lines at LF and CR LF.
 * @throws TooLargeError for a line that has more characters than this.
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Pieces of one line: to put them together for each chunk would take time squared.
  let [pending, length]: [string[], number] = [[], 0];
  for await (const chunk of body) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    pending.push(first);
    length += first.length;
    for (const next of more) {
      const line = pending.join('');
      if (line.startsWith(DATA)) yield line.slice(DATA.length).trim();
      [pending, length] = [[next], next.length];
    }
    if (length > maxLength)
      throw new TooLargeError(`an event of more than ${maxLength} characters`);
  }
  const line = pending.join('');
  if (line.startsWith(DATA)) yield line.slice(DATA.length).trim();
}
