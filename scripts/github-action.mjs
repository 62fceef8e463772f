// @ts-check
// The GitHub action: checks session files with the coppice of its own release. The checkout may be a
// stranger's pull request, so coppice is installed away from it, and from a registry that is named.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** What a runner may say of how npm reaches a registry. Which one, and what for, is not among it. */
const NETWORK_CONFIG =
  /^npm_config_(userconfig|cache|proxy|https?_proxy|noproxy|ca|cafile|strict_ssl)$/i;
/** Versions, ranges and tags of the registry: no address, path or alias. */
const VERSION = /^[\w.~^*<>=|+ -]+$/;
/** The exit codes of a report that is whole: no findings, findings, and files that could not be checked. */
const REPORTED = new Set([0, 1, 3]);

const home = mkdtempSync(join(process.env['RUNNER_TEMP'] || tmpdir(), 'coppice-'));
try {
  process.exitCode = run();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stdout.write(
    `::error title=coppice::${message.replace(/[%\r\n]/g, encodeURIComponent)}\n`,
  );
  process.exitCode = 2;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** @returns {number} the exit code */
function run() {
  const maxWarnings = readLine('max-warnings');
  const rules = read('rules')
    .split(/\r?\n/)
    .filter((rule) => rule.trim() !== '');
  const options = [
    ...(maxWarnings === '' ? [] : [`--max-warnings=${maxWarnings}`]),
    ...rules.map((rule) => `--rule=${rule.trim()}`),
  ];
  const sarifFile = readLine('sarif-file');
  install(readLine('version') || readOwnVersion(), readLine('registry'));
  if (sarifFile !== '') {
    const file = openInside(sarifFile);
    const code = validate([...options, '--format=sarif'], file);
    closeSync(file);
    if (!REPORTED.has(code)) return code;
    const outputs = process.env['GITHUB_OUTPUT'];
    if (outputs) appendFileSync(outputs, `sarif-file=${sarifFile}\n`);
  }
  return validate([...options, '--format=github'], 'inherit');
}

/** @param {string} input */
function read(input) {
  return process.env[`INPUT_${input.toUpperCase()}`] ?? '';
}

/** A line feed would begin another output, or another option. @param {string} input */
function readLine(input) {
  const value = read(input).trim();
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(value)) throw new Error(`${input}: expected one line of text`);
  return value;
}

/** The version that this action was released with. */
function readOwnVersion() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** @param {string} version @param {string} registry */
function install(version, registry) {
  if (!VERSION.test(version)) throw new Error('version: expected a version, a range or a tag');
  if (!/^https?:\/\//.test(registry)) throw new Error('registry: expected an http address');
  const manifest = { private: true, dependencies: { coppice: version } };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  // npm reads the configuration of the directory that it runs in; a variable counts for more.
  const given = Object.entries(process.env).filter(([name, value = '']) => {
    if (!/^npm_config_/i.test(name)) return true;
    return NETWORK_CONFIG.test(name) && !isInside(resolve(value));
  });
  const env = {
    ...Object.fromEntries(given),
    npm_config_registry: registry,
    npm_config_ignore_scripts: 'true',
    npm_config_package_lock: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  // On Windows npm is a batch file, which only a shell runs: nothing of an input is in its line.
  const options = { cwd: home, env, stdio: ['ignore', 2, 2] };
  const { status, error } =
    process.platform === 'win32'
      ? spawnSync('npm install --loglevel=error', { ...options, shell: true })
      : spawnSync('npm', ['install', '--loglevel=error'], options);
  if (error) throw new Error(`cannot run npm: ${error.message}`);
  if (status !== 0) throw new Error(`cannot install coppice ${version} from ${registry}`);
}

/**
 * Checks the paths of the input; standard output goes to a file or is this process's own.
 * @param {readonly string[]} options @param {number | 'inherit'} output
 * @returns {number} the exit code
 */
function validate(options, output) {
  const program = join(home, 'node_modules', 'coppice', 'bin', 'coppice.js');
  const { status, signal, error } = spawnSync(
    process.execPath,
    [program, 'validate', '-', ...options],
    {
      input: read('paths'),
      stdio: ['pipe', output, 'inherit'],
    },
  );
  if (error) throw error;
  if (status === null) throw new Error(`coppice was stopped by ${signal}`);
  return status;
}

/** Opens a file to write, but not through a link of the checkout. @param {string} file */
function openInside(file) {
  const path = resolve(file);
  if (isInside(path) && !isInside(realpathSync(dirname(path)))) {
    throw new Error('sarif-file: is behind a link that leads out of the checkout');
  }
  // O_NOFOLLOW is undefined on Windows, which counts as 0; git makes no links there unless asked to.
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  return openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
}

/** Whether an absolute path is in the working directory, which is the checkout. @param {string} path */
function isInside(path) {
  const between = relative(process.cwd(), path);
  return !isAbsolute(between) && between.split(/[/\\]/)[0] !== '..';
}
