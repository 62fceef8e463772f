import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSession } from '../../src/session/read/read-session.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { runTest } from '../memory-terminal.ts';
import { type LoadedMessage, loadNeovate } from '../session/agents/neovate/neovate-loader.ts';
import { OPENED } from '../session/agents/neovate/recorded.ts';
import { makeTempDir } from '../temp-dir.ts';
import { type Json, Reference } from './reference.ts';

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly data?: string;
  readonly toolCallId?: string;
  readonly result?: { readonly llmContent: string | readonly Part[]; readonly isError?: boolean };
}

type Said = readonly unknown[];

const MARKER = 'Chat history compacted successfully.';
const COMMAND = /^<bash-stdout>Command: (.*)$/m;

function toParts(content: unknown): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Part[]);
}

/** What a part says, whoever's it is: texts, thoughts, calls by their id, images by their data. */
function toSaid(part: Part): string {
  const image = part.data?.replace(/^data:[^,]*,/, '');
  return part.text ?? part.thinking ?? image ?? part.id ?? '?';
}

/** What Neovate's path says, in the order of pi's messages. */
function toldByNeovate(messages: readonly LoadedMessage[]): readonly Said[] {
  return messages.flatMap((message): readonly Said[] => {
    const { role, content, uiContent } = message;
    const parts = toParts(content);
    if (uiContent === MARKER) return [['compactionSummary', parts.map(toSaid).join('')]];
    const command = typeof content === 'string' ? COMMAND.exec(content)?.[1] : undefined;
    if (command !== undefined) return [['bashExecution', command]];
    if (typeof content === 'string' && content.startsWith('<bash-input>')) return [];
    const results = parts.filter(({ result }) => result !== undefined);
    if (results.length > 0) {
      return results.map(({ toolCallId, id, result }) => {
        const told = toParts(result?.llmContent).map(toSaid);
        return ['toolResult', toolCallId ?? id, result?.isError === true, ...told];
      });
    }
    const isHidden = 'hidden' in message;
    return [[isHidden ? 'custom' : role, ...parts.map(toSaid)]];
  });
}

interface PiMessage {
  readonly role: string;
  readonly content: unknown;
  readonly summary?: string;
  readonly command?: string;
  readonly toolCallId?: string;
  readonly isError?: boolean;
}

function toldByPi(messages: readonly Json[]): readonly Said[] {
  return (messages as unknown as readonly PiMessage[]).map((message) => {
    const { role, content, summary, command, toolCallId, isError } = message;
    if (role === 'compactionSummary') return [role, summary];
    if (role === 'bashExecution') return [role, command];
    const said = toParts(content).map(toSaid);
    return role === 'toolResult' ? [role, toolCallId, isError, ...said] : [role, ...said];
  });
}

async function migrate(path: string): Promise<string> {
  const out = await makeTempDir();
  const argv = ['migrate', path, '--to', 'pi', '--out', out, '--apply'];
  const { exitCode, err } = await runTest(argv, { cwd: '/srv/work' });
  if (exitCode !== 0) throw new Error(err);
  const [project = ''] = await readdir(out);
  const [file = ''] = await readdir(join(out, project));
  return join(out, project, file);
}

const SPOKEN = OPENED.filter(({ uuids, name }) => uuids.length > 0 && !name.includes('duplicate'));

describe('a session of Neovate that was migrated to pi', () => {
  it.each(SPOKEN)('opens in pi and means the same: $name', async ({ path, text }) => {
    const { context } = await reference.ask({ ask: 'session', path: await migrate(path) });
    const told = toldByNeovate(loadNeovate(text));
    expect(toldByPi(context.messages)).toEqual(told);
    expect(told.length).toBeGreaterThan(0);
  });

  it.each(SPOKEN)('is listed by pi, and healthy: $name', async ({ path }) => {
    const migrated = await migrate(path);
    const dir = join(migrated, '..');
    const [listed] = await reference.ask({ ask: 'list', dir });
    expect(listed).toMatchObject({ path: migrated });
    const validation = await validateSession(migrated, { levels: new Map() });
    const errors = validation?.findings.filter(({ level }) => level === 'error');
    // Calls and results that the agent left without each other stay so.
    expect(errors?.filter(({ rule }) => rule !== 'tool-result-orphan')).toEqual([]);
  });

  it('means the same on every branch', async () => {
    let compared = 0;
    for (const { path, text } of SPOKEN) {
      const migrated = await migrate(path);
      const { session } = await readSession(migrated);
      const lines = text.trimEnd().split('\n');
      for (const [index, line] of lines.entries()) {
        const { uuid } = JSON.parse(line) as { uuid?: string };
        const entryOrdinal = session.entries.findIndex(({ id }) => id === uuid);
        if (uuid === undefined || entryOrdinal === -1) continue;
        const context = await reference.ask({ ask: 'contextAt', path: migrated, entryOrdinal });
        const upTo = loadNeovate(lines.slice(0, index + 1).join('\n'));
        expect(toldByPi(context.messages)).toEqual(toldByNeovate(upTo));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(80);
  });
});
