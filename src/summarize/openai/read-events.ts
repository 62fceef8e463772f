import { createParser } from 'eventsource-parser';
import { TooLargeError } from './read-body.ts';

/**
 * The `data` of server-sent events, as they come in; what begins an event at the end of the stream and does
 * not end it is one, too, since endpoints leave the last empty line out.
 * @throws TooLargeError for an event that has more characters than this.
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  const found: string[] = [];
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent: ({ data }) => found.push(data),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') {
        throw new TooLargeError(`an event of more than ${maxLength} characters`);
      }
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* found.splice(0);
  }
  parser.feed(`${decoder.decode()}\n\n`);
  yield* found;
}
