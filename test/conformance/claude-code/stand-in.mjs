/**
 * Runs the real Claude Code, with a stand-in for the model. One JSON request a line on stdin; one JSON
 * answer a line on stdout, in the order in which runs end. Both are typed in `client.ts`, which
 * starts this in a network namespace of its own: nothing here can reach further than 127.0.0.1.
 *
 * A run that `holds` writes `{id, held: true}` when the model is asked, and the model answers once
 * `{answer: id}` has come in.
 *
 * Each run has an address of its own at the stand-in, so that runs side by side do not mix.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';

/** In seconds of the processor; a run that takes more goes in circles: most take one or two. */
const CIRCLE = 60;
/** In seconds; a run that takes next to no time of the processor for so long, and waits for nothing, hangs. */
const HUNG = 120;
const LOOK_MS = 1000;
/** Of the processor's times in `/proc`. */
const TICKS_IN_SECOND = 100;
const PATH = '/usr/local/bin:/usr/bin:/bin';

spawnSync('ip', ['link', 'set', 'lo', 'up'], {
  stdio: 'inherit',
  env: { PATH: `${PATH}:/usr/sbin:/sbin` },
});

/** By name: what a run is answered, and what it has asked so far. */
const runs = new Map();
const server = createServer(serve);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();

let free = availableParallelism();
const waiting = [];
let pending = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (pending + chunk).split('\n');
  pending = lines.pop();
  for (const line of lines) {
    const request = JSON.parse(line);
    if (request.answer === undefined) waiting.push(request);
    else runs.get(toName(request.answer))?.answer?.();
  }
  startNext();
});
process.stdin.on('end', () => process.exit());

function startNext() {
  while (free > 0 && waiting.length > 0) {
    free -= 1;
    void answerRequest(waiting.shift());
  }
}

async function answerRequest(request) {
  const ran = await run(request);
  process.stdout.write(`${JSON.stringify({ id: request.id, ...ran })}\n`);
  free += 1;
  startNext();
}

const toName = (id) => `run-${id}`;

async function run({ id, program: [command, ...first], args, cwd, home, env, reply, holds }) {
  const name = toName(id);
  const asked = [];
  runs.set(name, { id, reply, asked, holds });
  const child = spawn(command, [...first, ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...toStoreWorld(name, home), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const watch = watchRun(child.pid, runs.get(name));
  const exit = await new Promise((resolve) => {
    child.on('error', (error) => {
      stderr += error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  const hung = watch.stop();
  // What the client has left running.
  endGroup(child.pid);
  runs.delete(name);
  return { exit, hung, stdout, stderr, asked };
}

/** Ends a run that does not end itself. By the processor's time: a busy machine takes any other. */
function watchRun(pid, state) {
  let [counted, quiet, hung] = [0, 0, false];
  const timer = setInterval(() => {
    const used = readProcessorTime(pid);
    const isActive = used - counted >= 1 || state.holds === true;
    quiet = isActive ? 0 : quiet + LOOK_MS / 1000;
    if (isActive) counted = used;
    hung = quiet >= HUNG;
    if (hung || used > CIRCLE) endGroup(pid);
  }, LOOK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return hung;
    },
  };
}

/** In seconds, of all threads; 0 for a process that is gone. */
function readProcessorTime(pid) {
  try {
    // The name of the program, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_IN_SECOND;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0;
    throw error;
  }
}

/** All that the client is given of the environment. */
function toStoreWorld(name, home) {
  return {
    PATH,
    HOME: home,
    TERM: 'xterm',
    TZ: 'UTC',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}/${name}`,
    ANTHROPIC_API_KEY: 'sk-ant-test-000',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
  };
}

function endGroup(pid) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** `POST /<run>/v1/messages`, its `count_tokens`, and nothing else. */
function serve(request, response) {
  const [, name, ...rest] = request.url.replace(/\?.*/, '').split('/');
  const state = runs.get(name);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const method = request.method === 'POST' && state ? rest.join('/') : undefined;
    if (method === 'v1/messages') {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      state.asked.push(body);
      if (state.holds) await hold(state);
      sendMessage(response, body, state.reply);
    } else if (method === 'v1/messages/count_tokens') {
      sendJson(response, 200, { input_tokens: 1000 });
    } else {
      const error = { type: 'not_found_error', message: 'The stand-in answers messages only.' };
      sendJson(response, 404, { type: 'error', error });
    }
  });
}

function hold(state) {
  process.stdout.write(`${JSON.stringify({ id: state.id, held: true })}\n`);
  return new Promise((resolve) => (state.answer = resolve));
}

let answered = 0;

function sendMessage(response, { model, stream }, text) {
  answered += 1;
  const message = {
    id: `msg_standin${String(answered).padStart(6, '0')}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 42,
    },
  };
  if (!stream) {
    sendJson(response, 200, message);
    return;
  }
  const type = 'text/event-stream';
  response.writeHead(200, { 'content-type': type, 'request-id': `req_${message.id}` });
  for (const event of toEvents(message, text)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function toEvents({ stop_reason, stop_sequence, usage, ...message }, text) {
  const begun = { ...message, content: [], stop_reason: null, stop_sequence };
  return [
    { type: 'message_start', message: { ...begun, usage: { ...usage, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
