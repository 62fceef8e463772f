import {
  appendFile,
  cp,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../memory-terminal.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import {
  BRANCH,
  ClaudeCodeHome,
  DEAD,
  type PruneAnswer,
  TASKS,
  TOOLS,
} from './claude-code-home.ts';
import { writeFiles } from '../../temp-dir.ts';

const OLD = 'bbbbbbbb-0000-4000-8000-000000000056';
const OPEN = 'ceee9acf-0ce0-4330-a90b-97b10e7ac5cf';
let home: string;
let config: string;

let world: ClaudeCodeHome;

const run = (...args: string[]) => world.run(...args);
const age = () => world.age();
const listBelow = (id: string) => world.listBelow(id);
const note = (pid: number, content: object | string) => world.note(pid, content);

/** Copies of a session that do not have its id in their name. */
const BACKUPS: readonly (readonly [string, (text: string) => Promise<unknown>])[] = [
  ['its content', (text) => writeFile(join(config, 'projects/-w-copy.jsonl.bak'), text)],
  [
    'the name of a directory',
    async (text) => {
      const directory = join(config, 'projects', '-home-u-demo-project', `${TASKS}.backup`);
      await mkdir(directory);
      await writeFile(join(directory, 'session.gz'), gzipSync(text));
    },
  ],
  [
    'nothing that can be read',
    (text) => writeFile(join(config, 'projects/before-update.jsonl.gz'), gzipSync(text)),
  ],
];

describe('a copy that has the id of the session in', () => {
  it.each(BACKUPS)('%s keeps the sidecars outside of the project', async (_, copy) => {
    const path = join(config, 'projects', '-home-u-demo-project', `${TASKS}.jsonl`);
    const listOutside = async () =>
      (await listBelow(TASKS)).filter((name) => !name.startsWith('projects/'));
    const before = await listOutside();
    expect(before.length).toBeGreaterThan(0);
    await copy(await readFile(path, 'utf8'));
    await age();
    const { out } = await run('prune', path, '--older-than', '30d', '--apply', '--delete');
    expect(out).toContain('Removed 1 of');
    expect(await listOutside()).toEqual(before);
  });
});

async function prune(...args: string[]): Promise<Record<string, string>> {
  const { out } = await run('prune', '--older-than', '30d', '--json', ...args);
  const { results } = JSON.parse(out) as { results: readonly PruneAnswer[] };
  const answers = results.filter((one) => 'reasons' in one);
  return Object.fromEntries(answers.map(({ id, reasons }) => [id, reasons.join(', ')]));
}

beforeEach(async () => {
  world = await ClaudeCodeHome.make();
  ({ home, config } = world);
});

describe('prune of Claude Code', () => {
  it('archives a session with all that is its own, and restores every byte and time', async () => {
    await rm(join(config, 'projects', '-home-u-old-project', 'agent-1a66a72e.jsonl'));
    await writeFile(join(config, 'settings.json'), '{"cleanupPeriodDays":30}');
    const before = await snapshot(config);
    const kept = Object.keys(before).filter((name) => name.includes(OPEN));
    await note(process.pid, { sessionId: OPEN });
    const archive = ['--archive', 'archive', '--include-parents'];
    expect((await prune(...archive, '--apply', '--allow-empty'))[OPEN]).toBe(
      'is open in its agent',
    );
    for (const id of [TOOLS, TASKS, OLD, BRANCH]) expect(await listBelow(id)).toEqual([]);
    expect(await listBelow('agent-')).toEqual([]);
    const left = await snapshot(config);
    for (const name of kept) expect(left[name]).toBe(before[name]);
    expect(left['projects/-home-u-demo-project/memory/MEMORY.md']).toBeDefined();
    await rm(join(config, 'sessions', `${process.pid}.json`));
    const restored = await run('prune', '--archive', 'archive', '--restore', 'all', '--json');
    expect(restored.exitCode).toBe(0);
    expect(restored.out).toContain('its agent may delete it again: expired on 2026-');
    const after = await snapshot(config);
    const files = Object.keys(before).filter((name) => !before[name]?.endsWith('directory'));
    for (const name of files) expect({ [name]: after[name] }).toEqual({ [name]: before[name] });
    for (const folder of [`file-history/${BRANCH}`, `tasks/${TASKS}`, `session-env/${TOOLS}`]) {
      expect(after[folder]).toBe(before[folder]);
    }
  });

  it('reports in the table, too, that the client may delete a restored session again', async () => {
    await writeFile(join(config, 'settings.json'), '{"cleanupPeriodDays":30}');
    await prune('--archive', 'archive', '--allow-empty', '--apply');
    const { out } = await run('prune', '--archive', 'archive', '--restore', TASKS);
    expect(out).toMatch(/ACTION .* TO +NOTE\n/);
    expect(out).toContain('its agent may delete it again: expired on 2026-');
    const again = await run('prune', '--archive', 'archive', '--restore', TASKS);
    expect(again.out).not.toContain('NOTE');
  });

  it('restores into a store of any name, with the same places in it as in the home', async () => {
    await prune('--archive', 'archive', '--allow-empty', '--apply');
    const into = (store: string) =>
      run('prune', '--archive', 'archive', '--restore', TASKS, '--store', store, '--json');
    const { out, exitCode } = await into('copy');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('"restore"') });
    const copy = join(home, 'copy');
    expect(await readdir(copy)).toEqual(expect.arrayContaining(['projects', 'tasks']));
    expect(await readdir(join(copy, 'tasks', TASKS))).toContain('1.json');
    expect((await into('copy/projects')).out).toContain('"unchanged"');
    expect((await run('list', '--store', copy, '--json')).out).toContain(TASKS);
  });

  it('moves a session to the trash with all that is its own', async () => {
    const { exitCode } = await run('prune', '--older-than', '30d', '--allow-empty', '--apply');
    expect(exitCode).toBe(0);
    expect(await listBelow(TASKS)).toEqual([]);
    const trash = join(home, '.local', 'share', 'Trash', 'files');
    const names = (await readdir(trash)).filter((name) => name.startsWith(TASKS));
    expect(names).toHaveLength(3);
  });

  it('keeps an open session that is named by the path to which a link of its client leads', async () => {
    const disk = join(home, 'disk');
    await rename(join(config, 'projects'), disk);
    await symlink(disk, join(config, 'projects'));
    await note(process.pid, { sessionId: OPEN });
    const by = (...args: string[]) => prune(...args, '--include-parents', '--apply', '--delete');
    for (const args of [[disk], ['--store', disk]]) {
      expect((await by(...args))[OPEN]).toContain('its agent reaches it by another path; ');
    }
  });

  it('keeps what a checkpoint shares with another session', async () => {
    const [name = ''] = await readdir(join(config, 'file-history', BRANCH));
    const shared = join(config, 'file-history', OPEN, 'shared@v1');
    await link(join(config, 'file-history', BRANCH, name), shared);
    const bytes = await readFile(shared);
    await age();
    await note(process.pid, { sessionId: OPEN });
    const reasons = await prune('--include-parents', '--delete', '--apply');
    expect(reasons[BRANCH]).toContain('older than 30d');
    expect(await listBelow(BRANCH)).toEqual([]);
    expect(await readFile(shared)).toEqual(bytes);
  });

  it('keeps what is elsewhere while a project is on a disk that is not mounted', async () => {
    await symlink('/mnt/gone', join(config, 'projects', 'gone'));
    const target = join(config, 'projects', '-home-u-demo-project', `${TASKS}.jsonl`);
    await run('prune', target, '--older-than', '30d', '--delete', '--apply');
    expect(await listBelow(TASKS)).toContain(`tasks/${TASKS}/1.json`);
    expect(await readdir(join(config, 'projects', '-home-u-demo-project'))).not.toContain(
      `${TASKS}.jsonl`,
    );
  });

  it.each([
    `-copy/${TASKS}.jsonl`,
    `-copy/${TASKS}.jsonl.zst`,
    `-home-u-demo-project/${TASKS}.jsonl.bak`,
    `${TASKS}.jsonl`,
    `-copy/deeper/${TASKS}.jsonl`,
    `-copy/${TASKS}/${TASKS}.jsonl`,
    `-copy/${TASKS}`,
    `-copy/${TASKS}.txt`,
    '-copy/dddddddd-4444-4444-8444-444444444444/before.jsonl.bak',
    'backup-dddddddd-4444-4444-8444-444444444444/before.jsonl.bak',
    '-copy/dddddddd-4444-4444-8444-444444444444.jsonl.bak',
  ])(
    'keeps what another file of a session has, and sub-agents that name another: %s',
    async (copy) => {
      const projects = join(config, 'projects');
      const own = join(projects, '-home-u-demo-project');
      await cp(join(own, `${TASKS}.jsonl`), join(projects, copy));
      const flat = join(projects, '-home-u-old-project', 'agent-19387b56.jsonl');
      const mention = `"agentId":"19387b56","toolUseResult":{"sessionId":"${TASKS}"}`;
      const text = await readFile(flat, 'utf8');
      const agent = join(own, 'agent-19387b56.jsonl');
      await writeFile(agent, text.replace('"agentId":"19387b56"', mention));
      await age();
      const target = join(own, `${TASKS}.jsonl`);
      await run('prune', target, '--older-than', '30d', '--delete', '--apply');
      expect(await listBelow(TASKS)).toEqual(
        expect.arrayContaining([`tasks/${TASKS}/1.json`, `session-env/${TASKS}/.gitkeep`]),
      );
      expect(await readdir(own)).not.toContain(`${TASKS}.jsonl`);
      expect(await readFile(agent, 'utf8')).toContain(mention);
    },
  );

  it.each([
    ['beside it, under the name of a sub-agent', `projects/-home-u-old-project/agent-notes.jsonl`],
    ['that was uploaded to it', `uploads/${OLD}/notes.jsonl`],
  ])('removes no session with another one %s that a rule keeps', async (_, name) => {
    const place = { sessionId: OLD, cwd: '/w', timestamp: '2025-01-03T10:00:00.000Z' };
    const lines = [
      { type: 'user', uuid: 'u1', parentUuid: null, isSidechain: false, ...place },
      { type: 'custom-title', customTitle: 'Mine', sessionId: OLD },
    ].map((line) => ({ ...line, message: { role: 'user', content: 'hi' } }));
    await writeFiles(config, { [name]: lines });
    await age();
    const stores = ['--store', config, '--keep-named', '--include-parents'];
    await prune(...stores, '--apply', '--delete');
    expect(await readFile(join(config, name), 'utf8')).toContain('Mine');
  });

  it.each([
    ['has lines of', 'agent-19387b56.jsonl', ''],
    [
      'is named in',
      `../-home-u-demo-project/${OPEN}.jsonl`,
      'see /p/-home-u-old-project/agent-19387b56.jsonl',
    ],
  ])('keeps a session with a sub-agent beside it that %s a kept one', async (_, file, content) => {
    const line = { type: 'user', sessionId: OPEN, message: { role: 'user', content } };
    const path = join(config, 'projects', '-home-u-old-project', file);
    await appendFile(path, `${JSON.stringify(line)}\n`);
    await age();
    await note(process.pid, { sessionId: OPEN });
    expect((await prune('--allow-empty'))[OLD]).toBe('a kept session refers to its files');
    expect((await prune('--allow-empty', '--include-parents'))[OLD]).toContain('older than');
  });

  describe('the plan that the lines of a session name', () => {
    const plan = (): string => join(config, 'plans', 'calm-wandering-otter.md');
    const project = (): string => join(config, 'projects', '-home-u-demo-project');
    const name = async (id: string): Promise<void> => {
      const path = join(project(), `${id}.jsonl`);
      const text = (await readFile(path, 'utf8')).replaceAll(/"slug":"[^"]*",/g, '');
      await writeFile(path, text.replaceAll('"uuid":', '"slug":"calm-wandering-otter","uuid":'));
    };

    beforeEach(async () => {
      await mkdir(join(config, 'plans'));
      await writeFile(plan(), 'First one thing, then another.\n');
      await writeFile(join(config, 'plans', 'other.md'), 'Nobody names this.\n');
      await name(TASKS);
      await age();
    });

    it('goes with the last session that names it, and comes back', async () => {
      const before = await snapshot(config);
      const target = join(project(), `${TASKS}.jsonl`);
      const archive = ['--archive', 'archive', '--apply'];
      await run('prune', target, '--older-than', '30d', ...archive);
      expect(await readdir(join(config, 'plans'))).toEqual(['other.md']);
      await run('prune', '--archive', 'archive', '--restore', 'all');
      const after = await snapshot(config);
      const path = 'plans/calm-wandering-otter.md';
      expect([path, after[path]]).toEqual([path, before[path]]);
    });

    it('is kept while another session names it, or may', async () => {
      const other = join(project(), `${TOOLS}.jsonl`);
      const text = await readFile(other, 'utf8');
      const remove = async (...extra: string[]): Promise<readonly string[]> => {
        await age();
        const target = join(project(), `${TASKS}.jsonl`);
        await run(
          'prune',
          target,
          '--older-than',
          '30d',
          '--archive',
          'archive',
          '--apply',
          ...extra,
        );
        expect(await readdir(project())).not.toContain(`${TASKS}.jsonl`);
        const names = await readdir(join(config, 'plans'));
        await run('prune', '--archive', 'archive', '--restore', 'all');
        return names;
      };
      await name(TOOLS);
      expect(await remove()).toContain('calm-wandering-otter.md');
      // A line that cannot be read may name it.
      await writeFile(other, `${text}{"type":"user","slug":"calm-wandering-ot`);
      expect(await remove()).toContain('calm-wandering-otter.md');
      await writeFile(other, text);
      // So may a session of a project that is not searched, in an entry of whatever type.
      const hidden = join(config, 'projects', '.old');
      await mkdir(hidden);
      await writeFile(
        join(hidden, 'x.jsonl'),
        '{"type":"new","at":"plans/calm-wandering-otter.md"}',
      );
      expect(await remove('--store', project())).toContain('calm-wandering-otter.md');
      await rm(hidden, { recursive: true });
      // And a copy of the session that does not.
      await mkdir(hidden);
      await writeFile(join(hidden, `${TASKS}.jsonl`), '{"type":"new"}');
      expect(await remove()).toContain('calm-wandering-otter.md');
      await rm(hidden, { recursive: true });
      // And so may one in a compressed file.
      await writeFile(`${other}.gz`, Buffer.from([31, 139, 8, 0]));
      expect(await remove()).toContain('calm-wandering-otter.md');
      await rm(`${other}.gz`);
      expect(await remove()).toEqual(['other.md']);
    });
  });

  it('never takes a file of no bytes, or one that holds the title of another session', async () => {
    const project = join(config, 'projects/-home-u-empty');
    await mkdir(project);
    const [empty, title] = ['1', '2'].map((last) => `dddddddd-0000-4000-8000-00000000000${last}`);
    await writeFile(join(project, `${empty}.jsonl`), '');
    const summary = { type: 'summary', summary: 'A title', leafUuid: 'elsewhere' };
    await writeFile(join(project, `${title}.jsonl`), `${JSON.stringify(summary)}\n`);
    await age();
    for (const selector of ['--empty', '--max-messages=1', '--older-than=30d', '--missing-cwd']) {
      await run('prune', selector, '--allow-empty', '--delete', '--apply');
      expect(await readdir(project)).toEqual([`${empty}.jsonl`, `${title}.jsonl`]);
    }
  });

  it('keeps its sessions while the notes of open ones cannot be listed, and exits with 3', async () => {
    await rename(join(config, 'sessions'), join(home, 'sessions'));
    await symlink('sessions', join(config, 'sessions'));
    const { exitCode, out } = await run('prune', '--larger-than', '1B', '--json');
    const { results } = JSON.parse(out) as { results: readonly PruneAnswer[] };
    expect([exitCode, results.some(({ action }) => action === 'remove')]).toEqual([3, false]);
  });

  it('takes no session for one without a name when the file with its name cannot be read', async () => {
    const project = join(config, 'projects', '-home-u-demo-project');
    const lines = (await readFile(join(project, `${BRANCH}.jsonl`), 'utf8')).split('\n');
    const unnamed = lines.filter(
      (line) => !line.includes('ustom-title') && !line.includes('ustomTitle'),
    );
    await writeFile(join(project, `${BRANCH}.jsonl`), unnamed.join('\n'));
    await writeFile(join(project, BRANCH, 'custom-title.json'), '{"customTitle":"my na');
    await writeFile(join(config, 'settings.json'), '{"cleanupPeriodDays":36');
    await age();
    const doubt = 'the file with its name could not be read';
    const shown = await prune('--keep-named', '--include-parents');
    expect(shown[BRANCH]).toBe(`perhaps named: ${doubt}`);
    const byName = await prune('--named', '*', '--include-parents');
    expect(byName[BRANCH]).toBe(doubt);
    const { out } = await run('prune', '--expiring', '30d', '--allow-empty');
    expect(out).toContain('Would remove 0 of');
  });
});

describe('a session of Claude Code is in use', () => {
  it('while the process that noted it lives, or noted it within the grace time', async () => {
    const cases: [number, object | string, string][] = [
      [process.pid, { sessionId: TASKS }, 'is open in its agent'],
      [process.pid, '{"sessionId":', 'is open in its agent'],
      ...['', `${OPEN}.jsonl`, ` ${OPEN}`, OPEN.toUpperCase()].map(
        (sessionId): [number, object, string] => [
          process.pid,
          { sessionId },
          'is open in its agent',
        ],
      ),
      [DEAD, { sessionId: TASKS, updatedAt: NOW - 1000 }, 'used 1 s ago, within --grace 1d'],
      [DEAD, { sessionId: TASKS, updatedAt: 1 }, 'older than 30d'],
      [DEAD, '{"sessionId":', 'older than 30d'],
      [process.pid, { sessionId: OPEN }, 'older than 30d'],
    ];
    for (const [pid, content, reason] of cases) {
      await note(pid, content);
      await age();
      expect((await prune('--allow-empty'))[TASKS]).toBe(reason);
      await rm(join(config, 'sessions', `${pid}.json`));
    }
  });
});

it('counts what belongs to a session of Claude Code', async () => {
  const { out } = await run('list', '--json', TOOLS);
  const { results } = JSON.parse(out) as { results: readonly (PruneAnswer & { size: number })[] };
  const bytes = await Promise.all(
    (await readdir(config, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes(TOOLS))
      .map(async (entry) => (await readFile(join(entry.parentPath, entry.name))).length),
  );
  expect(results[0]?.totalSize).toBe(bytes.reduce((sum, size) => sum + size, 0));
});
