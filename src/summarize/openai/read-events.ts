const DATA = 'data:';
/** No event is longer than this; an endless one must not fill the memory. */
const MAX_PENDING = 4_000_000;

/** The `data` of server-sent events, as they come in. Cuts lines at LF and CR LF. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of body) {
    pending += decoder.decode(chunk, { stream: true });
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    if (pending.length > MAX_PENDING) throw new Error('an event without an end');
    for (const line of lines) if (line.startsWith(DATA)) yield line.slice(DATA.length).trim();
  }
  if (pending.startsWith(DATA)) yield pending.slice(DATA.length).trim();
}
