import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleSession } from '../sample-session.ts';
import { toJsonl } from '../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Ids of requests and answers, by which usage is counted once. */
const REQUEST = /\b(?:msg|req)_[A-Za-z0-9]{6,}/g;
const MONTH = /\b202\d-\d\d(?=-\d\dT\d\d[:-])/g;
/** Long before any run. */
const WRITTEN = new Date('2026-10-01T00:00:00.000Z');
/** Folders of recorded sessions: some files at their root, and stores as agents have them. */
const AGENTS: readonly (readonly [folder: string, home: string])[] = [
  ['recorded', ''],
  ['neovate', 'home'],
  ['claude-code', 'home/.claude/projects'],
  ['codex', 'home/sessions'],
];

interface Template {
  readonly name: string;
  readonly text: Buffer;
}

/**
 * Fills a directory with sessions of every agent, the same for the same seed: recorded ones with other
 * ids and months, damaged ones among them, arrays of the oldest format, and forks that inherit usage.
 */
export async function makeMixedStore(store: string, sessions: number, seed: string): Promise<void> {
  const groups = await Promise.all(AGENTS.map(readTemplates));
  let made = 0;
  for (let family = 0; made < sessions; family += 1) {
    const files = groups.flatMap((group, agent) =>
      pick(group, family, 3).map((one) =>
        rename(one, `agent-${agent}`, `${seed}:${family}`, family),
      ),
    );
    files.push(...makeForks(store, family));
    for (const { name, text } of files.slice(0, sessions - made)) {
      const path = join(store, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      await utimes(path, WRITTEN, WRITTEN);
      made += 1;
    }
  }
}

async function readTemplates([folder, home]: (typeof AGENTS)[number]): Promise<
  readonly Template[]
> {
  const root = join(FIXTURES, folder);
  const names = (await readdir(root)).filter((name) => name.endsWith('.jsonl'));
  if (home !== '') {
    const inside = await readdir(join(root, home), { recursive: true });
    names.push(
      ...inside.filter((name) => /\.jsonl(?:\.zst)?$/.test(name)).map((name) => join(home, name)),
    );
  }
  const read = async (name: string): Promise<Template> => ({
    name,
    text: await readFile(join(root, name)),
  });
  return Promise.all(names.toSorted().map(read));
}

/** Some of a group, other ones for each family. */
function pick<T>(group: readonly T[], family: number, count: number): readonly T[] {
  return Array.from(
    { length: count },
    (_, at) => group[(family * count + at) % group.length],
  ).filter((one) => one !== undefined);
}

/** A session of its own: other ids, the same for all files of a family, and another month. */
function rename({ name, text }: Template, folder: string, salt: string, family: number): Template {
  const hash = (old: string): string => createHash('sha256').update(`${salt}${old}`).digest('hex');
  const toName = (old: string): string =>
    old.replace(UUID, (id) => id.slice(0, 24) + hash(id).slice(0, 12));
  const path = join(folder, `family-${family}`, toName(name));
  if (name.endsWith('.zst')) return { name: path, text };
  const month = `202${5 + (family % 2)}-${String((family % 9) + 1).padStart(2, '0')}`;
  // As bytes: among them are lines of invalid UTF-8.
  const changed = toName(text.toString('latin1'))
    .replace(REQUEST, (id) => id.slice(0, 4) + hash(id).slice(0, 20))
    .replace(MONTH, month)
    .replaceAll('/home/', `/home/team-${family % 7}/`);
  return { name: path, text: Buffer.from(changed, 'latin1') };
}

/** A session, two forks of it, and an array beside which `migrate` makes a session. */
function makeForks(store: string, family: number): readonly Template[] {
  const folder = join('forks', `family-${family}`);
  const start = `2026-0${(family % 9) + 1}-02T09:30:00.000Z`;
  const parentSession = join(store, folder, 'parent.jsonl');
  const make = (id: string, options: object = {}): object[] =>
    sampleSession({
      id: `${id}-${family}`,
      start,
      cwd: `/home/team-${family % 5}/work`,
      ...options,
    });
  return [
    { name: join(folder, 'parent.jsonl'), text: Buffer.from(toJsonl(make('parent'))) },
    ...['a', 'b'].map((id) => ({
      name: join(folder, `${id}.jsonl`),
      text: Buffer.from(toJsonl(make(id, { parentSession }))),
    })),
    { name: join(folder, 'old.json'), text: Buffer.from(JSON.stringify(make('old'))) },
  ];
}
