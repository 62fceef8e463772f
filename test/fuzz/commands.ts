/** What a case runs on the file `s.jsonl` in the store `store`. */
export interface FuzzedCommand {
  readonly argv: readonly string[];
  /** Writes nothing at all. */
  readonly reads: boolean;
}

const STORE = ['--store', 'store', '--jobs', '1'];
const APPLY = [...STORE, '--apply', '--grace', '0s', '--json'];

function read(...argv: readonly string[]): FuzzedCommand {
  return { argv, reads: true };
}

function write(...argv: readonly string[]): FuzzedCommand {
  return { argv, reads: false };
}

const FINDINGS = ['pretty', 'json', 'ndjson', 'github', 'sarif', 'junit', 'gitlab'];
const EXPORTS = ['md', 'html', 'text', 'json', 'jsonl', 'chat', 'atif', 'sts', 'parquet'];
const COMPACT = ['--force', '--keep-recent-tokens', '200'];

export const COMMANDS: readonly FuzzedCommand[] = [
  read('list', ...STORE),
  read('list', ...STORE, '--usage', '--json', '--no-cache'),
  read('list', ...STORE, '--by', 'model'),
  read('list', ...STORE, '--lineage'),
  read('list', 'store/s.jsonl', '--entries'),
  read('list', 'store/s.jsonl', '--entries', '--filter', 'no-tools', '--json'),
  ...FINDINGS.map((format) => read('validate', ...STORE, '--format', format)),
  read('validate', ...STORE, '--fix-dry-run', '--json'),
  read('migrate', ...STORE, '--json'),
  read('migrate', ...STORE, '--check'),
  read('fork', 'store/s.jsonl', '--points', '--json'),
  read('fork', 'store/s.jsonl', '--dry-run', '--each-leaf'),
  read('compact', ...STORE, ...COMPACT, '--json'),
  read('compact', ...STORE, '--images', 'extract', '--tool-output', '1kB', '--summarized'),
  read('prune', ...STORE, '--older-than', '30d', '--allow-empty', '--json'),
  ...EXPORTS.map((format) => write('export', ...STORE, '--as', format, '--out', 'out')),
  read('export', 'store/s.jsonl', '--as', 'md', '--redact'),
  read('export', 'store/s.jsonl', '--as', 'jsonl', '--full-history'),
  write('validate', ...STORE, '--fix'),
  write('migrate', ...APPLY),
  write('migrate', ...APPLY, '--cwd', '/home/dev=/home/new'),
  write('migrate', ...STORE, '--to', 'pi', '--out', 'out', '--apply'),
  write('fork', 'store/s.jsonl', '--whole', '--out', 'out'),
  write('fork', 'store/s.jsonl', '--each-leaf', '--out', 'out'),
  write('compact', ...APPLY, ...COMPACT),
  write('compact', ...APPLY, '--images', 'extract', '--superseded-state'),
  write('compact', ...APPLY, '--images', 'drop', '--tool-output', '1kB'),
  write('compact', ...APPLY, '--abandoned-branches', '--summarized'),
  write('prune', ...APPLY, '--older-than', '30d', '--allow-empty', '--archive', 'archive'),
];
