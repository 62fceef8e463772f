import MarkdownIt from 'markdown-it';
import { replaceHidden } from '../../../session/model/text/hidden-characters.ts';
import { toReadable } from '../../turns/readable.ts';
import { escapeHtml } from './escape-html.ts';

const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;
/** Longer text was written by a program, and takes long to parse. */
const MAX_LENGTH = 50_000;

const STYLE = ' style="';
const ALIGNED = / style="text-align:(left|right|center)"/g;

const renderer = createRenderer();

/**
 * Markdown as HTML: no HTML of its own, links to http, https and mailto only, images as their
 * description. Undefined for text that is too long to be prose.
 */
export function renderMarkdown(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  // A strict page allows no style attributes; text cannot hold this, as its quotes are escaped.
  const html = renderer.render(toReadable(text));
  // The character of an entity may be invisible, too.
  const visible = text.includes('&') ? replaceHidden(html) : html;
  return visible.includes(STYLE) ? visible.replace(ALIGNED, ' class="$1"') : visible;
}

function createRenderer() {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  markdown.validateLink = (url) => SAFE_LINK.test(url);
  markdown.renderer.rules['image'] = (tokens, index) => {
    return `<em>[image: ${escapeHtml(tokens[index]?.content ?? '')}]</em>`;
  };
  markdown.renderer.rules['link_open'] = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('rel', 'noopener noreferrer nofollow');
    return self.renderToken(tokens, index, options);
  };
  return markdown;
}
