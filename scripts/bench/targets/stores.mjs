// @ts-check
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { LineFile } from '../store/line-file.mjs';
import { Random } from '../store/random.mjs';
import { Texts } from '../store/text.mjs';

/** Stores with one pi session of an unusual shape, the same for the same numbers. */

const START = Date.UTC(2025, 0, 6, 8);
const ID = '01943a4d-8000-7000-8000-000000000001';
const HEADER = {
  type: 'session',
  version: 3,
  id: ID,
  timestamp: new Date(START).toISOString(),
  cwd: '/home/dev/large',
};

/**
 * Entries of some 280 bytes, the next a child of the one before, but for branches that begin at the first one.
 * @param {string} out
 * @param {{ entries: number, branches: number }} shape
 */
export function writeEntries(out, { entries, branches }) {
  const random = new Random(1);
  const texts = new Texts(1);
  const file = openSession(out);
  const perBranch = Math.ceil(entries / branches);
  /** @type {string | null} */
  let parentId = null;
  for (let at = 0; at < entries; at += 1) {
    if (at > 0 && at % perBranch === 0) parentId = toId(0);
    const timestamp = START + at * 1000;
    const text = texts.prose(random, 40);
    const message =
      at % 2 === 0
        ? { role: 'user', content: text, timestamp }
        : { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop', timestamp };
    writeMessage(file, at, parentId, message);
    parentId = toId(at);
  }
  file.close(START + entries * 1000);
}

/**
 * Messages of a user with an image of 1.3 MB each.
 * @param {string} out
 * @param {{ bytes: number }} shape
 */
export function writeImages(out, { bytes }) {
  const random = new Random(1);
  const texts = new Texts(1);
  const file = openSession(out);
  let at = 0;
  for (; file.bytes < bytes; at += 1) {
    const data = `iVBORw0KGgoA${texts.base64(random, 1_300_000)}`;
    const content = [{ type: 'image', data, mimeType: 'image/png' }];
    const message = { role: 'user', content, timestamp: START + at * 1000 };
    writeMessage(file, at, at === 0 ? null : toId(at - 1), message);
  }
  file.close(START + at * 1000);
}

/**
 * A header, and a message of one line that long.
 * @param {string} out
 * @param {{ bytes: number }} shape
 */
export function writeLongLine(out, { bytes }) {
  const fd = openSync(place(out), 'wx', 0o600);
  try {
    const entry = { type: 'message', id: toId(0), parentId: null, timestamp: HEADER.timestamp };
    const message = { role: 'user', content: '@', timestamp: START };
    const [before = '', after = ''] = JSON.stringify({ ...entry, message }).split('@');
    writeSync(fd, `${JSON.stringify(HEADER)}\n${before}`);
    const piece = Buffer.alloc(1_000_000, 'a line that never ends ');
    for (let left = bytes; left > 0; left -= piece.length) {
      writeSync(fd, piece, 0, Math.min(left, piece.length));
    }
    writeSync(fd, `${after}\n`);
  } finally {
    closeSync(fd);
  }
}

/** @param {string} out */
function openSession(out) {
  const file = new LineFile(place(out));
  file.write(HEADER);
  return file;
}

/** @param {string} out */
function place(out) {
  const project = join(out, '--home-dev-large--');
  mkdirSync(project, { recursive: true });
  return join(project, `2025-01-06T08-00-00-000Z_${ID}.jsonl`);
}

/** @param {number} at */
function toId(at) {
  return at.toString(16).padStart(8, '0');
}

/**
 * @param {LineFile} file
 * @param {number} at
 * @param {string | null} parentId
 * @param {{ timestamp: number }} message
 */
function writeMessage(file, at, parentId, message) {
  const timestamp = new Date(message.timestamp).toISOString();
  file.write({ type: 'message', id: toId(at), parentId, timestamp, message });
}
