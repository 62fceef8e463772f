import type { Variables } from '../../../session/dialect/surroundings/world.ts';
import type { FindingsFormatter } from '../format.ts';
import { formatGithub } from './github.ts';
import { formatGitlab } from './gitlab.ts';
import { formatFindingsJson, formatFindingsNdjson } from './json.ts';
import { formatJunit } from './junit.ts';
import { formatPretty } from './pretty.ts';
import { formatSarif } from './sarif.ts';

export const FORMAT_NAMES = [
  'pretty',
  'json',
  'ndjson',
  'github',
  'sarif',
  'junit',
  'gitlab',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

/** Every way to render findings. */
export const findingsFormats: Readonly<Record<FormatName, FindingsFormatter>> = {
  pretty: formatPretty,
  json: formatFindingsJson,
  ndjson: formatFindingsNdjson,
  github: formatGithub,
  sarif: formatSarif,
  junit: formatJunit,
  gitlab: formatGitlab,
};

/** Resolves `auto`: annotations in a GitHub Actions job, else text for people. */
export function resolveFormat(name: FormatName | 'auto', env: Variables): FormatName {
  if (name !== 'auto') return name;
  return env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'pretty';
}
