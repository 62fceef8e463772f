import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';

export interface PageFrame {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** A line for the head of the page, where programs find it. */
  readonly facts?: string;
}

/** The first directive of the policy of each page. */
const NOTHING_ELSE = "default-src 'none'";

/**
 * Everything before the content of a page. The policy lets nothing run, load or be sent but the one
 * script, the one style sheet and images that are in the page.
 */
export function openPage({ title, style, script, facts = '' }: PageFrame): string {
  const policy = [
    NOTHING_ELSE,
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${facts}<style>${style}</style>
</head>
`;
}

/** Returns whether a page begins like one of `openPage` with that title, in whatever version. */
export function isOwnPage(start: string, title: string): boolean {
  const [head = '', rest] = start.split(`<title>${escapeHtml(title)}</title>\n`);
  const policy = `http-equiv="Content-Security-Policy" content="${NOTHING_ELSE}; script-src 'sha256-`;
  return rest !== undefined && head.startsWith('<!doctype html>') && head.includes(policy);
}

/** The end of a page: the script comes when all it works on is there. */
export function closePage({ script }: PageFrame): string {
  return `<script>${script}</script>\n</body>\n</html>\n`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
