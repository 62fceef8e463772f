/** A body is larger than it may be. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * The chunks of a body, decompressed; what is left is never asked for.
 * @throws TooLargeError once there are more bytes than this.
 */
export async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLargeError(`more than ${maxBytes} bytes`);
    yield chunk;
  }
}

/**
 * The whole text of a body.
 * @throws TooLargeError when it has more bytes than this.
 */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitBytes(body, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads the beginning of a body, of about this many bytes. */
export async function readBeginning(
  body: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<string> {
  let text = Buffer.alloc(0);
  for await (const chunk of body) {
    text = Buffer.concat([text, chunk.subarray(0, bytes - text.length)]);
    if (text.length >= bytes) break;
  }
  return text.toString('utf8');
}
