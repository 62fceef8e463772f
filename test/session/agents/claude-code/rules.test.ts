import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextDiffers } from '../../../../src/session/agents/claude-code/rules/release-rules.ts';
import { rules } from '../../../../src/session/agents/claude-code/rules/rules.ts';
import { staleNote, sidecarOrphaned } from '../../../../src/session/rules/sidecar-rules.ts';
import { validateSession } from '../../../../src/session/validate/validate-session.ts';
import { FAULTS } from './faults.ts';
import { LINK_FAULTS } from './link-faults.ts';
import { RELEASE_FAULTS } from './release-faults.ts';
import { TOOL_FAULTS } from './tool-faults.ts';
import { SOUND } from './sound.ts';
import { HEALTHY, toSessionPath, toText } from './healthy-session.ts';

const dir = await mkdtemp(join(tmpdir(), 'coppice-test-'));
const path = toSessionPath(dir);
const PLANTED = [...FAULTS, ...LINK_FAULTS, ...RELEASE_FAULTS, ...TOOL_FAULTS];
beforeAll(() => mkdir(dirname(path), { recursive: true }));
afterAll(() => rm(dir, { recursive: true, force: true }));

async function validate(content: string | Buffer, maxLineBytes?: number) {
  await writeFile(path, content);
  return (await validateSession(path, { levels: new Map(), maxLineBytes }))?.findings;
}

describe('a fault planted in a session of Claude Code', () => {
  it.each(PLANTED)('$rule finds $what, and nothing else', async (fault) => {
    const { rule, level, session, line, also = [], maxLineBytes } = fault;
    const findings = (await validate(session, maxLineBytes)) ?? [];
    const found = findings.map((finding) => `${finding.line} ${finding.rule}`);
    expect(found.toSorted()).toEqual([`${line} ${rule}`, ...also].toSorted());
    expect(findings.find((finding) => finding.rule === rule)?.level).toBe(level);
    for (const { line: at, byteOffset, message } of findings) {
      const before = Buffer.from(session).subarray(0, byteOffset).toString('latin1');
      expect(before.split('\n').length).toBe(at);
      // oxlint-disable-next-line no-control-regex
      expect(message).toMatch(/^[^\u0000-\u001f\u007f-\u009f]{1,250}$/);
    }
  });

  it('is there for every rule', () => {
    const planted = new Set(PLANTED.map(({ rule }) => rule));
    // What is beside the sessions of a store is planted there: test/commands/claude-code/validate.test.ts.
    const ofStores = new Set([sidecarOrphaned, staleNote]);
    const ofSessions = rules.filter((rule) => !ofStores.has(rule));
    expect([...planted].toSorted()).toEqual(ofSessions.map(({ id }) => id).toSorted());
  });
});

describe('a healthy session of Claude Code', () => {
  it('has no findings', async () => {
    expect(await validate(toText(HEALTHY))).toEqual([]);
  });

  it.each(SOUND)('may hold $what', async ({ session }) => {
    const found = (await validate(session)) ?? [];
    // Of what the newest release reads well, an older one may read less.
    expect(found.filter(({ rule }) => rule !== contextDiffers.id)).toEqual([]);
  });
});
