import { cp, mkdir, readFile, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { getRecorded, placeRecorded } from '../../session/agents/codex/corpus.ts';
import * as claude from '../../session/agents/claude-code/healthy-session.ts';
import { buildHealthy, SESSION_ID, toText } from '../../session/agents/neovate/healthy-session.ts';
import { makeTempDir } from '../../temp-dir.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** Puts a session with an image into a home of its own. */
type PlaceSession = (home: string) => Promise<string>;

async function placeClaudeCode(home: string): Promise<string> {
  const path = claude.toSessionPath(join(home, '.claude'));
  await mkdir(dirname(path), { recursive: true });
  const source = { type: 'base64', media_type: 'image/png', data: PIXEL };
  const shown = claude.user([claude.text('see'), { type: 'image', source }]);
  await writeFile(path, claude.withMore(claude.toNode('n8', 'n7', 8, shown)));
  return path;
}

async function placeNeovate(home: string): Promise<string> {
  const project = join(home, '.neovate/projects/home-u-demo');
  await mkdir(project, { recursive: true });
  const path = join(project, `${SESSION_ID}.jsonl`);
  const image = `{"type":"image","data":"data:image/png;base64,${PIXEL}","mimeType":"image/png"}`;
  const text = toText(buildHealthy());
  await writeFile(path, text.replace('"content":[', `"content":[${image},`));
  return path;
}

const AGENTS: readonly (readonly [string, PlaceSession])[] = [
  ['Codex', () => placeRecorded(getRecorded('images'))],
  ['Claude Code', placeClaudeCode],
  ['Neovate', placeNeovate],
];

/** The messages of a session of pi: ids that are made go by where the lines are in the source. */
async function readMessages(path: string): Promise<readonly unknown[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { readonly message?: unknown }).message);
}

interface Result {
  readonly newPath: string;
  readonly action: string;
  readonly problems: readonly { readonly code: string }[];
}

async function run(cwd: string, ...argv: readonly string[]): Promise<Result> {
  const { out, err } = await runTest([...argv, '--apply', '--json'], { cwd, home: cwd });
  if (out === '') throw new Error(err);
  const { results } = JSON.parse(out) as { readonly results: readonly Result[] };
  if (!results[0]) throw new Error(out);
  return results[0];
}

describe.each(AGENTS)('images that compact took out of a session of %s', (_, place) => {
  const prepare = async () => {
    const home = await makeTempDir();
    const path = await place(home);
    await utimes(path, 1.7e9, 1.7e9);
    const compact = (file: string, mode: string) => run(home, 'compact', file, '--images', mode);
    const migrate = (out: string) => run(home, 'migrate', path, '--to', 'pi', '--out', out);
    const { newPath } = await migrate('as-it-was');
    const expected = await readMessages(newPath);
    expect(JSON.stringify(expected)).toContain('"type":"image"');
    expect(await compact(path, 'extract')).toMatchObject({ action: 'reduce' });
    await utimes(path, 1.7e9, 1.7e9);
    return { path, compact, migrate, expected };
  };

  it('are in the session of pi that is made of it', async () => {
    const { migrate, expected } = await prepare();
    const { newPath, problems } = await migrate('out');
    expect(await readMessages(newPath)).toEqual(expected);
    expect(problems.map(({ code }) => code)).not.toContain('images-missing');
  });

  it('can be put back into that once their files are there again', async () => {
    const { path, compact, migrate, expected } = await prepare();
    const folder = path.slice(0, -'.jsonl'.length);
    await rename(folder, `${folder}-away`);
    const { newPath, problems } = await migrate('out');
    expect(problems.map(({ code }) => code)).toContain('images-missing');
    expect(await readFile(newPath, 'utf8')).toContain('[image taken out by coppice: ');
    await cp(`${folder}-away`, join(dirname(newPath), basename(folder)), { recursive: true });
    await utimes(newPath, 1.7e9, 1.7e9);
    await compact(newPath, 'restore');
    expect(await readMessages(newPath)).toEqual(expected);
    expect((await readdir(`${folder}-away`)).length).toBeGreaterThan(0);
  });
});
