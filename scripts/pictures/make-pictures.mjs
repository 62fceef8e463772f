// @ts-check
// Draws docs/images/ from what the commands print: npm run pictures. With --check, draws nothing and
// says what is not as it should be, exit 1.
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withSource } from '../load-source.mjs';
import { drawTerminal } from './draw.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const IMAGES = `${ROOT}docs/images/`;
const COLUMNS = 100;
/** The samples are of a person who stopped for the day. */
const NOW = Date.parse('2026-05-05T18:30:00.000Z');

const PICTURES = {
  list: [['list']],
  totals: [
    ['list', '--by', 'model'],
    ['list', '--by', 'project'],
  ],
  entries: [['list', '019df25e', '--entries']],
  validate: [['validate', '~/damaged']],
  prune: [['prune', '--older-than', '60d', '--keep-last', '1', '--keep-named']],
};

const drawn = await withSource('src/cli/run-cli.ts', drawAll);
if (process.argv.includes('--check')) check();
else for (const [name, svg] of Object.entries(drawn)) writeFileSync(`${IMAGES}${name}.svg`, svg);

async function drawAll({ runCli }) {
  process.env['TZ'] = 'UTC';
  const home = mkdtempSync(join(tmpdir(), 'coppice-pictures-'));
  try {
    prepare(home);
    const images = {};
    for (const [name, commands] of Object.entries(PICTURES)) {
      let text = '';
      for (const argv of commands) {
        text += `${text === '' ? '' : '\n'}\u001b[2m$\u001b[22m \u001b[1mcoppice ${argv.join(' ')}\u001b[22m\n`;
        text += await run(runCli, argv, home);
      }
      images[name] = drawTerminal(text, `coppice ${commands[0]?.join(' ')}`, COLUMNS);
    }
    return images;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The samples, untouched for two days. */
function prepare(home) {
  for (const name of ['sessions', 'damaged']) {
    cpSync(`${ROOT}samples/${name}`, join(home, name), { recursive: true });
  }
  const time = NOW / 1000 - 86_400 * 2;
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
    utimesSync(join(home, name), time, time);
  }
}

async function run(runCli, argv, home) {
  let text = '';
  const output = {
    isTerminal: true,
    columns: COLUMNS,
    write: async (more) => void (text += more),
    flush: async () => undefined,
  };
  const exitCode = await runCli(
    argv.map((word) => word.replace('~', home)),
    {
      terminal: {
        out: output,
        err: output,
        readInput: async () => '',
        startProgress: () => ({ advance: () => undefined, stop: () => undefined }),
      },
      env: { PI_CODING_AGENT_SESSION_DIR: join(home, 'sessions'), TERM: 'xterm' },
      cwd: home,
      // The samples are of someone at /home/dev; files that are named are here.
      home: argv.some((word) => word.startsWith('~')) ? home : '/home/dev',
      now: () => NOW,
      createId: () => '',
      signal: new AbortController().signal,
    },
  );
  if (exitCode > 1) throw new Error(`${argv.join(' ')}: ${text}`);
  return text;
}

function check() {
  const stale = Object.entries(drawn).filter(([name, svg]) => {
    return readFileSync(`${IMAGES}${name}.svg`, 'utf8') !== svg;
  });
  if (stale.length === 0) return;
  process.stderr.write(`run npm run pictures: ${stale.map(([name]) => name).join(', ')}\n`);
  process.exitCode = 1;
}
