import type { Rule } from '../../../dialect/rule.ts';
import { getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { isAmbiguous, isOwnPath } from '../../../model/paths.ts';
import { START_OF_FILE } from '../../../rules/place.ts';
import { quotePath } from '../../../rules/wording.ts';
import { openLine } from '../format.ts';

/** A thread whose working directory is not there. */
export const rolloutCwdMissing: Rule = {
  id: 'rollout-cwd-missing',
  level: 'info',
  fixable: false,
  summary: 'a rollout of Codex whose working directory is not found here',
  help:
    'Codex resumes a thread in the directory of its last settings, else of its last turn or its header. ' +
    'The project was moved or removed, or the file comes from another machine. If the project was moved, ' +
    '`coppice migrate --cwd <old>=<new>` corrects every place; `coppice fork --cwd <dir>` makes a thread ' +
    'that works elsewhere.',
  reads: { payload: { cwd: 'whole', thread_settings: { cwd: 'whole' } } },
  check(report) {
    const found = new Map<string, string>();
    return {
      line(_, content) {
        if (content.kind === 'object') addCwd(found, content.value);
      },
      async look(files) {
        const cwd = SOURCES.flatMap((source) => found.get(source) ?? []).at(0);
        // A path of another system cannot be looked for, nor one whose name is not all known.
        if (cwd === undefined || !isOwnPath(cwd) || isAmbiguous(cwd)) return;
        if (await files.exists(cwd)) return;
        report(START_OF_FILE, `the working directory ${quotePath(cwd)} is not found here`);
      },
    };
  },
};

/** The lines that name a working directory, the one that Codex goes by first. */
const SOURCES = ['settings', 'turn_context', 'session_meta'] as const;

function addCwd(found: Map<string, string>, line: JsonObject): void {
  const { type, kind, payload } = openLine(line);
  const isSettings = kind === 'thread_settings_applied';
  const source = isSettings ? 'settings' : type;
  const cwd = getString(
    isSettings ? (getObject(payload, 'thread_settings') ?? {}) : payload,
    'cwd',
  );
  // The first header is that of the thread itself.
  if (cwd !== undefined && !(source === 'session_meta' && found.has(source)))
    found.set(source, cwd);
}
