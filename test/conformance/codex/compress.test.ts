import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { runTest } from '../../memory-terminal.ts';
import { askAll } from './ask-all.ts';
import { Codex } from './client.ts';
import { driveStore } from './drive.ts';
import { readStore } from './sent.ts';

const client = new Codex();
afterAll(() => client.close());

function compact(home: string, ...argv: readonly string[]) {
  const stores = ['sessions', 'archived_sessions'].flatMap((name) => ['--store', join(home, name)]);
  const options = { cwd: home, home, now: () => Date.now() };
  return runTest(['compact', ...argv, '--apply', '--grace', '0s', ...stores, '--json'], options);
}

function listFiles(home: string): readonly string[] {
  const files = ['sessions', 'archived_sessions'].flatMap((name) =>
    readdirSync(join(home, name), { recursive: true, encoding: 'utf8' }),
  );
  return files.filter((name) => name.includes('.jsonl'));
}

it.skipIf(!canPack())(
  'a store that compact has compressed is listed, shown, sent and continued as before',
  async () => {
    const home = client.makeHome();
    await drive(home);
    const recorded = readStore(home);
    const before = await askAll(client, home);
    const { out, exitCode } = await compact(home, '--compress');
    expect({ out, exitCode }).toEqual({ out, exitCode: 0 });
    const packed = listFiles(home);
    expect(packed.length).toBeGreaterThan(3);
    expect(packed.filter((name) => !name.endsWith('.zst'))).toEqual([]);
    expect(await askAll(client, home, recorded)).toEqual(before);

    await compact(home, '--decompress');
    expect(listFiles(home).filter((name) => name.endsWith('.zst'))).toEqual([]);
    expect(readStore(home)).toBe(recorded);
    expect(await askAll(client, home)).toEqual(before);

    // The client archives them compressed; its database then has the name of the compressed file.
    await compact(home, '--compress');
    await archiveAll(home);
    const { threads } = await askAll(client, home, recorded);
    await compact(home, '--decompress');
    const unpacked = await askAll(client, home);
    expect(unpacked.archived.length).toBeGreaterThan(3);
    expect(unpacked.threads).toEqual(threads);
  },
);

async function drive(home: string): Promise<void> {
  const server = await client.start(home);
  const { threads } = await driveStore(server, 'compress', 14);
  await server.call('thread/archive', { threadId: threads[0]?.id ?? '' });
  await server.stop();
}

async function archiveAll(home: string): Promise<void> {
  const server = await client.start(home);
  for (const { id } of await server.list()) {
    // Sub-agents go along with their thread.
    await server.call('thread/archive', { threadId: id }).catch(() => undefined);
  }
  await server.stop();
}
