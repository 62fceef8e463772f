import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { getString, type JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { findSessionFiles } from '../session-files.ts';
import { type Opened, withBlobs } from './agent.ts';
import { KNOWN_DIFFERENCES, type MadeHome, makeHome, run } from './home.ts';

let home: MadeHome;
/** Each session as the agent has made it. */
let before: ReadonlyMap<string, Opened>;

beforeAll(async () => {
  home = await makeHome();
  before = await openAll(home.made);
});
afterAll(() => home.close());
beforeEach(() => home.reset());

async function openAll(paths: ReadonlyMap<string, string>): Promise<Map<string, Opened>> {
  const opened = new Map<string, Opened>();
  for (const [name, path] of paths) opened.set(name, await home.agent.ask('open', { path }));
  return opened;
}

function toContext({ messages, thinkingLevel, name }: Opened): object {
  return { messages, thinkingLevel, name };
}

function getPath(name: string): string {
  return home.made.get(name) ?? '';
}

async function change(...argv: string[]): Promise<readonly { action: string; path: string }[]> {
  return run(home.home, ...argv, '--apply', '--store', home.store);
}

function listStore(): ReadonlyMap<string, string> {
  const names = readdirSync(home.store, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.\w+$/.test(name)).toSorted();
  return new Map(files.map((name) => [name, readFileSync(join(home.store, name), 'latin1')]));
}

describe('fork', () => {
  it.each([[], ['--whole'], ['--cwd', '/srv/elsewhere']])(
    'makes a session that the agent opens with the same context: %s',
    async (...options) => {
      for (const [name, path] of home.made) {
        const [fork] = await run<{ path: string }>(home.home, 'fork', path, ...options);
        expect(fork?.path).not.toBe(path);
        const opened = await home.agent.ask('say', { path: fork?.path ?? '', text: 'go on' });
        const { messages, ...rest } = toContext(opened) as Opened;
        const source = before.get(name);
        expect({ name, messages: messages.slice(0, -1) }).toEqual({
          name,
          messages: source?.messages,
        });
        expect(rest).toEqual({ thinkingLevel: source?.thinkingLevel, name: source?.name });
      }
    },
  );

  it('takes the directories of the workspace along', async () => {
    const [fork] = await run<{ path: string }>(home.home, 'fork', getPath('workspace'));
    const { header } = await home.agent.ask('open', { path: fork?.path ?? '' });
    const own = before.get('workspace')?.header['additionalDirectories'];
    expect(own).toHaveLength(2);
    expect(header['additionalDirectories']).toEqual(own);
  });

  it('names the fork so that the agent shows it', async () => {
    for (const source of ['plain', 'named']) {
      const command = ['fork', getPath(source), '--name', 'A new name'];
      const [fork] = await run<{ path: string }>(home.home, ...command);
      const opened = await home.agent.ask('open', { path: fork?.path ?? '' });
      expect(opened.name).toBe('A new name');
    }
  });

  it('names a session in place so that the agent shows it', async () => {
    for (const name of ['plain', 'named', 'long name']) {
      await change('fork', getPath(name), '--in-place', '--name', 'Another name');
      const opened = await home.agent.ask('say', { path: getPath(name), text: 'go on' });
      expect(opened.name).toBe('Another name');
      expect(opened.messages.slice(0, -1)).toEqual(before.get(name)?.messages);
    }
    const titles = (await home.agent.ask('list', {})).map(({ title }) => title);
    expect(titles.filter((title) => title === 'Another name')).toHaveLength(3);
  });

  it('goes back in place to where the agent goes on', async () => {
    const path = getPath('branched');
    const line = readFileSync(path, 'utf8')
      .split('\n')
      .find((one) => one.includes('left.'));
    const { id } = JSON.parse(line ?? '') as { id: string };
    await change('fork', path, '--in-place', '--at', id);
    const { messages } = await home.agent.ask('say', { path, text: 'go on' });
    expect(messages).toHaveLength(5);
    expect(JSON.stringify(messages)).toContain('left.');
  });
});

describe('compact', () => {
  it('appends a compaction that means the same to the agent', async () => {
    const compacted = new Set<string>();
    for (const [name, path] of home.made) {
      const [done] = await change('compact', path, '--force', '--keep-recent-tokens', '1');
      if (done?.action === 'compact') compacted.add(name);
      const { messages } = await home.agent.ask('open', { path });
      const ours = withBlobs(home.home, (await readContext(path)).messages) as JsonObject[];
      const toRoles = (all: readonly JsonObject[]) =>
        all.map(({ role, summary }) => ({ role, summary }));
      const isDifferent = name in KNOWN_DIFFERENCES;
      expect({ name, roles: toRoles(isDifferent ? messages : ours) }).toEqual({
        name,
        roles: toRoles(messages),
      });
    }
    expect(compacted).toContain('plain');
    expect(compacted).toContain('cleared');
  });

  it('does not bring back what was cleared', async () => {
    await change('compact', getPath('cleared'), '--force', '--keep-recent-tokens', '1');
    const { messages } = await home.agent.ask('open', { path: getPath('cleared') });
    expect(messages[0]).toMatchObject({ role: 'compactionSummary' });
    expect(JSON.stringify(messages)).not.toContain('before');
  });

  it('takes images out and puts them back byte for byte', async () => {
    const path = getPath('small image');
    const bytes = readFileSync(path);
    await change('compact', path, '--images', 'extract');
    const { messages } = await home.agent.ask('open', { path });
    expect(JSON.stringify(messages)).toContain('image taken out by coppice');
    await change('compact', path, '--images', 'restore');
    expect(readFileSync(path)).toEqual(bytes);
  });

  it('leaves in files of their own the images that the agent has there', async () => {
    const bytes = readFileSync(getPath('images'));
    await change('compact', getPath('images'), '--images', 'extract');
    expect(readFileSync(getPath('images'))).toEqual(bytes);
  });

  it.each([['--abandoned-branches'], ['--superseded-state'], ['--tool-output', '10MB']])(
    'changes nothing of what the agent sends: %s',
    async (...options) => {
      await change('compact', ...home.made.values(), ...options);
      for (const [name, opened] of await openAll(home.made)) {
        expect({ name, ...toContext(opened) }).toEqual({
          name,
          ...toContext(before.get(name) as Opened),
        });
      }
    },
  );
});

describe('migrate', () => {
  it('moves the sessions of a project to where the agent looks for them', async () => {
    const [from, to] = [join(home.home, 'src/api'), join(home.home, 'src/moved')];
    mkdirSync(to, { recursive: true });
    const directory = await home.agent.ask('directory', { cwd: to });
    await change('migrate', '--cwd', `${from}=${to}`);
    const listed = await home.agent.ask('list', {});
    expect(listed.filter(({ cwd }) => cwd === from)).toEqual([]);
    const moved = listed.filter(({ cwd }) => cwd === to);
    expect(new Set(moved.map(({ path }) => dirname(path)))).toEqual(new Set([directory]));
    const names = new Map([...home.made].map(([name, path]) => [basename(path), name]));
    for (const { path } of moved) {
      const opened = await home.agent.ask('open', { path });
      const name = names.get(basename(path)) ?? '';
      expect({ file: name, ...toContext(opened) }).toEqual({
        file: name,
        ...toContext(before.get(name) as Opened),
      });
      const parent = getString(opened.header, 'parentSession') ?? path;
      expect(!parent.includes('/') || existsSync(parent)).toBe(true);
    }
  });

  it('makes of old sessions of pi what the agent makes of them', async () => {
    const old = findSessionFiles().filter((path) => /0\.3[02]\./.test(basename(path)));
    expect(old.length).toBeGreaterThan(3);
    for (const [at, source] of old.entries()) {
      const [own, ours] = [`own-${at}.jsonl`, `ours-${at}.jsonl`].map((name) =>
        join(home.store, '-', name),
      );
      for (const path of [own, ours]) writeFileSync(path ?? '', readFileSync(source));
      const theirs = await home.agent.ask('open', { path: own ?? '' });
      await change('migrate', ours ?? '');
      const opened = await home.agent.ask('open', { path: ours ?? '' });
      expect({ source: basename(source), messages: opened.messages }).toEqual({
        source: basename(source),
        messages: theirs.messages,
      });
    }
  });
});

describe('prune', () => {
  const rules = ['--older-than', '0s', '--allow-empty'];

  it('removes all that belongs to sessions, and no image', async () => {
    await change('prune', ...rules, '--delete');
    expect(await home.agent.ask('list', {})).toEqual([]);
    expect([...listStore().keys()]).toEqual([]);
    expect(readdirSync(join(home.home, '.omp/agent/blobs'))).toHaveLength(2);
  });

  it('brings everything back from an archive', async () => {
    const [files, listed] = [listStore(), await home.agent.ask('list', {})];
    const archive = join(home.home, 'archive');
    await change('prune', ...rules, '--archive', archive);
    expect(await home.agent.ask('list', {})).toEqual([]);
    await run(home.home, 'prune', '--archive', archive, '--restore', 'all', '--store', home.store);
    expect(listStore()).toEqual(files);
    expect(await home.agent.ask('list', {})).toEqual(listed);
  });

  it('keeps a draft that was never sent', async () => {
    const results = await change('prune', '--empty', '--allow-empty', '--delete');
    expect(results.filter(({ action }) => action === 'remove')).toEqual([]);
  });

  it('leaves nothing that the agent would make the session of again', async () => {
    const path = getPath('plain');
    writeFileSync(`${path}.0123456789abcdef.bak`, readFileSync(path));
    await change('prune', path, ...rules, '--delete');
    expect((await home.agent.ask('list', {})).map((one) => one.path)).not.toContain(path);
    expect(readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))).toEqual(
      [],
    );
  });
});
