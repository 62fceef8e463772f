/**
 * Runs app servers of the real Codex, with a stand-in for the model. One JSON request a line on stdin;
 * one JSON answer a line on stdout. `client.ts` starts this in a network namespace of its own: nothing
 * here can reach further than 127.0.0.1.
 *
 * Each app server has an address of its own at the stand-in, so that those side by side do not mix.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** What takes longer goes in circles: a turn takes a tenth of a second. */
const LIMIT_MS = 60_000;
const PATH = '/usr/local/bin:/usr/bin:/bin';
const MODEL = 'gpt-5.2-codex';
const ZONE = chooseZone();

spawnSync('ip', ['link', 'set', 'lo', 'up'], {
  stdio: 'inherit',
  env: { PATH: `${PATH}:/usr/sbin:/sbin` },
});

/** App servers by name. */
const servers = new Map();
const http = createServer(serve);
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
const { port } = http.address();

let pending = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (pending + chunk).split('\n');
  pending = lines.pop();
  for (const line of lines) void answer(JSON.parse(line));
});
process.stdin.on('end', () => {
  for (const { child } of servers.values()) child.kill('SIGKILL');
  process.exit();
});

async function answer({ id, op, server, ...request }) {
  let answered;
  try {
    answered = { result: await OPERATIONS[op](server, request) };
  } catch (error) {
    answered = { error: error.message };
  }
  process.stdout.write(`${JSON.stringify({ id, ...answered })}\n`);
}

const OPERATIONS = {
  /** Starts an app server on a home of Codex. */
  async start(name, { program, home, cwd, log }) {
    prepare(name, home, cwd);
    const env = { ...toStoreWorld(home), ...(log && { RUST_LOG: log, NO_COLOR: '1' }) };
    const child = spawn(program, ['app-server'], { cwd, env });
    const server = {
      child,
      calls: new Map(),
      waits: [],
      ended: [],
      asked: [],
      replies: [],
      stderr: '',
    };
    servers.set(name, server);
    listen(server);
    const clientInfo = { name: 'lab', title: 'lab', version: '1' };
    await call(server, 'initialize', { clientInfo, capabilities: { experimentalApi: true } });
    child.stdin.write('{"method":"initialized"}\n');
    return {};
  },
  call: (name, { method, params }) => call(servers.get(name), method, params),
  /** The end of a turn, or of the next one of a thread. */
  wait: (name, which) => wait(servers.get(name), which),
  /** What it has written to its log. */
  log: (name) => ({ text: servers.get(name).stderr }),
  /** What the model is to answer: a list of output items for each request; then it only greets. */
  script(name, { replies }) {
    servers.get(name).replies.push(...replies);
    return {};
  },
  /** The requests to the model since the last time. */
  asked: (name) => ({ asked: servers.get(name).asked.splice(0), stderr: servers.get(name).stderr }),
  /** Runs another command of the client on a home that no server is on. */
  run(name, { program, home, args }) {
    const options = { cwd: home, env: toStoreWorld(home), encoding: 'utf8', timeout: LIMIT_MS };
    const { status, stdout, stderr } = spawnSync(program, args, options);
    return { status, stdout, stderr };
  },
  /** Runs a prompt by a command that ends, of a release of which no app server is asked; what it sent. */
  async prompt(name, { program, home, cwd, args }) {
    prepare(name, home, cwd);
    const server = { asked: [], replies: [] };
    servers.set(name, server);
    const child = spawn(program, args, {
      cwd,
      env: toStoreWorld(home),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (said += text));
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    const status = await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    servers.delete(name);
    return { status, said, asked: server.asked };
  },
  async stop(name) {
    const { child } = servers.get(name);
    servers.delete(name);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdin.end();
      // A client that is killed may not have written all: better no answer than another one.
      let isKilled = false;
      const timer = setTimeout(() => {
        isKilled = true;
        child.kill('SIGKILL');
      }, LIMIT_MS);
      await ended;
      clearTimeout(timer);
      if (isKilled) throw new Error('stop: no answer');
    }
    return {};
  },
};

function prepare(name, home, cwd) {
  for (const directory of [join(home, 'tmp'), cwd]) mkdirSync(directory, { recursive: true });
  writeFileSync(join(home, 'config.toml'), configure(name, cwd));
  writeFileSync(join(home, 'instructions.md'), 'You are a test assistant.');
}

function listen(server) {
  const { child } = server;
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (server.stderr += text));
  child.stdin.on('error', (error) => (server.stderr += error.message));
  child.on('error', (error) => (server.stderr += error.message));
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) hear(server, JSON.parse(line));
  });
  child.on('close', () => {
    for (const { reject } of server.calls.values()) reject(new Error(`ended: ${server.stderr}`));
    for (const { reject } of server.waits) reject(new Error(`ended: ${server.stderr}`));
  });
}

function hear(server, { id, method, params, result, error }) {
  if (method === undefined) {
    const made = server.calls.get(id);
    server.calls.delete(id);
    if (error) made?.reject(new Error(error.message));
    else made?.resolve(result);
    return;
  }
  if (method !== 'turn/completed') return;
  server.ended.push(params);
  for (const one of server.waits) if (fits(one, params)) one.resolve(params);
  server.waits = server.waits.filter((one) => !fits(one, params));
}

const fits = ({ threadId, turnId }, { threadId: thread, turn }) =>
  thread === threadId && (turnId === undefined || turn.id === turnId);

let calls = 0;

function call(server, method, params) {
  const id = (calls += 1);
  return limit(method, (resolve, reject) => {
    server.calls.set(id, { resolve, reject });
    server.child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  });
}

function wait(server, { threadId, turnId }) {
  const ended = server.ended.find((params) => turnId && fits({ threadId, turnId }, params));
  if (ended) return ended;
  return limit('turn/completed', (resolve, reject) =>
    server.waits.push({ threadId, turnId, resolve, reject }),
  );
}

function limit(what, act) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what}: no answer`)), LIMIT_MS);
    const done = (settle) => (value) => {
      clearTimeout(timer);
      settle(value);
    };
    act(done(resolve), done(reject));
  });
}

/**
 * A zone in which the day began an hour ago: at midnight, the client sends the new date to the model, between
 * two answers that are compared.
 */
function chooseZone() {
  const hour = new Date().getUTCHours();
  // These names have the sign the other way round.
  const west = hour <= 13 ? hour - 1 : hour - 25;
  return `Etc/GMT${west < 0 ? '' : '+'}${west}`;
}

/** All that the client is given of the environment. */
function toStoreWorld(home) {
  return {
    PATH,
    HOME: home,
    CODEX_HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    TZ: ZONE,
    FAKE_KEY: 'made-up',
  };
}

function configure(name, cwd) {
  return `model = "${MODEL}"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
model_instructions_file = "instructions.md"
include_permissions_instructions = false
include_apps_instructions = false
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:${port}/${name}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[skills]
include_instructions = false
[skills.bundled]
enabled = false
[projects."${cwd}"]
trust_level = "trusted"
`;
}

/** `POST /<server>/v1/responses`, and nothing else. */
function serve(request, response) {
  const [, name, ...rest] = request.url.split('/');
  const server = servers.get(name);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (!server || request.method !== 'POST' || rest.join('/') !== 'v1/responses') {
      response.writeHead(404).end();
      return;
    }
    server.asked.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    send(response, server.replies.shift() ?? [say('The stand-in answers.')]);
  });
}

let answered = 0;

function say(text) {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
}

function send(response, items) {
  answered += 1;
  const id = `resp_${answered}`;
  const usage = {
    input_tokens: 100 + answered,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120 + answered,
  };
  const events = [
    { type: 'response.created', response: { id } },
    ...items.map((item, at) => ({
      type: 'response.output_item.done',
      item: { id: `item_${answered}_${at}`, ...item },
    })),
    { type: 'response.completed', response: { id, usage } },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
