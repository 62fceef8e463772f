import type { Place, Rule } from '../../../dialect/rule.ts';
import { getString } from '../../../jsonl/edit/json.ts';
import { toPlace, toUuidPlace } from '../../../rules/place.ts';
import { getBlocks, getMessage } from '../format.ts';
import { checkNodes, NODE } from './node-lines.ts';
import { formatCounted } from '../../../model/text/numbers.ts';

const CARRIAGE_RETURN = 0x0d;

/** Line ends of another system. */
export const lineCrlf: Rule = {
  id: 'line-crlf',
  level: 'info',
  fixable: false,
  summary: 'lines of Claude Code that end in a carriage return and a line feed',
  help:
    'Claude Code writes only line feeds, and reads both. An editor, or a copy through another ' +
    'system, has changed the file; no other change is known. Nothing to repair.',
  reads: {},
  check(report) {
    let first: Place | undefined;
    let count = 0;
    return {
      line(line) {
        if (line.bytes.at(-1) !== CARRIAGE_RETURN) return;
        first ??= toPlace(line);
        count += 1;
      },
      session() {
        if (first) report(first, `${formatCounted(count, 'line')} from here on end in CR LF`);
      },
    };
  },
};

/** A session of a program, which the client's own list leaves out. */
export const sourceHeadless: Rule = {
  id: 'source-headless',
  level: 'info',
  fixable: false,
  summary: 'a session of Claude Code that its own list does not show',
  help:
    '`claude -p` or a program began the session (`entrypoint` is `sdk-cli`, `sdk-ts` or ' +
    '`sdk-py`). Claude Code leaves such sessions out of its list and of `--continue` in a ' +
    'terminal; `claude --resume <id>` opens them.',
  reads: { ...NODE, entrypoint: 'whole' },
  check(report) {
    let isFirst = true;
    return {
      line: checkNodes((value, line) => {
        const entrypoint = getString(value, 'entrypoint');
        if (!isFirst || entrypoint === undefined) return;
        isFirst = false;
        if (!/^sdk-(cli|ts|py)$/.test(entrypoint)) return;
        report(toUuidPlace(line, value), `was begun by a program (${entrypoint})`);
      }),
    };
  },
};

/** Thoughts that not every model is sent. */
export const modelsSeveral: Rule = {
  id: 'models-several',
  level: 'info',
  fixable: false,
  summary: 'thinking of several models in a session of Claude Code',
  help:
    'A model signs its thinking. Claude Code since 2.1.225 sends only the thinking of the model ' +
    'with which the session is resumed, so a part of it is left out. Nothing to repair.',
  reads: { ...NODE, message: { model: 'whole', content: { type: 'whole' } } },
  check(report) {
    const models = new Map<string, Place>();
    return {
      line: checkNodes((value, line) => {
        if (!getBlocks(value).some(({ type }) => type === 'thinking')) return;
        const model = getString(getMessage(value) ?? {}, 'model') ?? '';
        if (!models.has(model)) models.set(model, toUuidPlace(line, value));
      }),
      session() {
        const [, second] = [...models.values()];
        if (!second) return;
        report(second, `${formatCounted(models.size, 'model')} have thought in this session`);
      },
    };
  },
};

/** A session that an old release has made again. */
export const copiedOnResume: Rule = {
  id: 'copied-on-resume',
  level: 'info',
  fixable: false,
  summary: 'a copy of a session that an old release of Claude Code made on resume',
  help:
    'Up to 1.0.59, every resume wrote a new file with the whole conversation so far, under new ' +
    'uuids. The earlier session is still there and holds the same answers, as the ids of the ' +
    'messages show. Totals of `coppice list --usage` count them once.',
  reads: { ...NODE, version: 'whole', requestId: 'whole', message: { id: 'whole' } },
  check(report) {
    let first: Place | undefined;
    let copied = 0;
    return {
      line: checkNodes((value, line) => {
        if (value['type'] !== 'assistant' || !getString(value, 'version')?.startsWith('1.')) return;
        // Copies lose it; what the client itself answers never had one.
        const id = getString(getMessage(value) ?? {}, 'id') ?? '';
        if ('requestId' in value || !id.startsWith('msg_')) return;
        first ??= toUuidPlace(line, value);
        copied += 1;
      }),
      session() {
        if (!first) return;
        const verb = copied === 1 ? 'was' : 'were';
        report(first, `${formatCounted(copied, 'line')} ${verb} copied from an earlier session`);
      },
    };
  },
};
