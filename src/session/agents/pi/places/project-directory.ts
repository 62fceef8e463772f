/**
 * The name of the directory that pi keeps a project's sessions in, as `getDefaultSessionDirPath` of
 * 0.87.1. Not reversible; `cwd` is absolute.
 */
export function toProjectDirectoryName(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;
}
