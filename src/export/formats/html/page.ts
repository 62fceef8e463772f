import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';

export interface PageFrame {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** A line for the head of the page, where programs find it. */
  readonly facts?: string;
}

/**
 * Everything before the content of a page. The policy lets nothing run, load or be sent but the one
 * script, the one style sheet and images that are in the page.
 */
export function openPage({ title, style, script, facts = '' }: PageFrame): string {
  const policy = [
    "default-src 'none'",
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

/** The end of a page: the script comes when all it works on is there. */
export function closePage({ script }: PageFrame): string {
  return `<script>${script}</script>\n</body>\n</html>\n`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
