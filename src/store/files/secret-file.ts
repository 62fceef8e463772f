import { UsageError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { readNamedText } from './read-named-text.ts';

/** The least length of a secret: taken out everywhere, a shorter one would mangle ordinary words. */
const MIN_LENGTH = 4;

/**
 * The secrets in a file, one per line; blank lines are skipped.
 * @throws UsageError when it cannot be read is not UTF-8, or has a line that is too short to be a
 * secret.
 */
export async function readSecretFile(path: string): Promise<readonly string[]> {
  const text = await readText(path);
  // UTF-16, as PowerShell writes it: no line would be found anywhere.
  if (text.includes('\ufffd')) throw new UsageError(`${path}: is not UTF-8; save it as UTF-8`);
  // Blanks around a value are somebody's editor's: no text would hold them.
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const short = lines.findIndex((line) => line !== '' && line.length < MIN_LENGTH);
  if (short !== -1) {
    throw new UsageError(
      `${path}: line ${short + 1} has fewer than ${MIN_LENGTH} characters, and would be found in ordinary words`,
    );
  }
  return lines.filter((line) => line !== '');
}

async function readText(path: string): Promise<string> {
  try {
    return await readNamedText(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path}: ${toFileError(error, path, 'read').message}`, { cause: error });
  }
}
