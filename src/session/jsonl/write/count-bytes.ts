/** Reads chunks to their end, and counts their bytes. */
export async function countBytes(chunks: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}
