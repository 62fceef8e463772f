/**
 * Answers what the conformance tests ask of a real agent: one JSON request a line on stdin, one JSON answer a line on
 * stdout, in order; `{"error": message}` when the agent throws.
 */
export async function answerRequests(handlers) {
  for await (const line of readLines(process.stdin)) {
    process.stdout.write(`${await answer(line, handlers)}\n`);
  }
}

async function answer(line, handlers) {
  try {
    const request = JSON.parse(line);
    const handler = handlers[request.ask];
    if (handler === undefined) throw new Error(`unknown request: ${request.ask}`);
    return JSON.stringify(await handler(request));
  } catch (error) {
    return JSON.stringify({ error: error.message });
  }
}

/** Cuts at LF only: `node:readline` would also cut inside strings, at U+2028. */
async function* readLines(input) {
  let pending = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop();
    yield* lines;
  }
}
