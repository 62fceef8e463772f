import { type Block, joinText, type Turn } from '../../../session/model/text/conversation.ts';
import { toIso } from '../../../session/jsonl/edit/json.ts';
import { getEnding, getSpeaker, toReadable } from '../../turns/readable.ts';
import { TooLongError } from '../../../errors.ts';
import { stringify } from '../../turns/stringify.ts';
import { escapeHtml, escapeJsonBlock } from './escape-html.ts';
import { renderMarkdown } from './render-markdown.ts';
import { formatNumber, formatRecordedCost } from '../../../session/model/text/numbers.ts';

const MAX_PREVIEW = 120;
/** The characters of a text that a browser still shows; several copies of it are in memory at once. */
const MAX_TEXT = 2 ** 25;
/** The page's script cuts titles, and marks that: marks beyond Latin-1 would double the memory of a whole turn. */
const MAX_TITLE = 200;

/** The titles of the calls so far, by the ids that their results name. */
export type CallTitles = Map<string, string>;

/**
 * A piece of a turn as the page's script builds it: `md` is HTML that we made, everything else text. A fold without
 * a title has its own first line for one; `ok`: it is the result of the call of that title, and did not fail.
 */
type Part =
  | { readonly md: string }
  | { readonly pre: string }
  | {
      readonly fold: 'tool' | 'thinking';
      readonly title?: string;
      readonly ok?: boolean;
      readonly pre: string;
    }
  | { readonly image: string };

/**
 * One turn as an inert block of JSON, which a page of 10,000 of them reads only when it shows it.
 * What the outline needs stands in attributes. Adds the turn's calls to `calls`.
 * @throws TooLongError for a text that no browser shows.
 */
export function formatTurnBlock(turn: Turn, parent: number, calls: CallTitles): string {
  const time = toIso(turn.time)?.slice(0, 19).replace('T', ' ').concat(' UTC');
  const usage = 'usage' in turn ? turn.usage : undefined;
  const about = [
    turn.role === 'assistant' ? turn.model : undefined,
    usage && usage.totalTokens > 0 ? `${formatNumber(usage.totalTokens)} tokens` : '',
    usage ? formatRecordedCost(usage.cost) : '',
    turn.edited ? 'edited' : '',
    time,
  ];
  const data = {
    who: toReadable(getSpeaker(turn)),
    about: toReadable(about.filter(Boolean).join(' · ')),
    label: turn.label && toReadable(turn.label),
    end: toReadable(getEnding(turn) ?? ''),
    parts: toParts(turn, calls),
  };
  for (const part of data.parts) if ('pre' in part) requireShort(part.pre);
  const attributes = [
    `data-p="${parent}"`,
    `data-r="${turn.role === 'toolResult' && turn.isError ? 'toolResult error' : turn.role}"`,
    turn.label === undefined ? '' : ` data-l="${escapeHtml(turn.label)}"`,
    turn.role === 'user' || turn.role === 'summary' || turn.label !== undefined
      ? ` data-v="${escapeHtml(getPreview(turn))}"`
      : '',
  ];
  // Its texts are readable already.
  const json = escapeJsonBlock(JSON.stringify(data));
  return `<script type="application/json" class="t" ${attributes.join(' ')}>${json}</script>\n`;
}

function requireShort(text: string): void {
  if (text.length <= MAX_TEXT) return;
  throw new TooLongError('as a page; md, text and json take longer ones');
}

function getPreview(turn: Turn): string {
  const text = turn.role === 'note' ? turn.note : joinText(turn.blocks);
  const line = text
    .slice(0, MAX_PREVIEW * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > MAX_PREVIEW ? `${line.slice(0, MAX_PREVIEW - 1)}…` : line;
}

function toParts(turn: Turn, calls: CallTitles): readonly Part[] {
  switch (turn.role) {
    case 'toolResult': {
      const pre = toReadable(joinText(turn.blocks));
      const title = calls.get(turn.callId) ?? toReadable(turn.toolName);
      return [{ fold: 'tool', title, ok: !turn.isError, pre }, ...toImages(turn.blocks)];
    }
    case 'bash':
      return [
        { pre: toReadable(`$ ${turn.command}`) },
        ...turn.blocks.map((block): Part => {
          return { fold: 'tool', pre: block.type === 'text' ? toReadable(block.text) : '' };
        }),
      ];
    case 'note':
      return [{ pre: toReadable(turn.note) }];
    case 'system':
      return [{ fold: 'tool', title: 'Instructions', pre: toReadable(joinText(turn.blocks)) }];
    case 'custom':
      return turn.hidden ? [foldText(turn.blocks), ...toImages(turn.blocks)] : toAll(turn.blocks);
    default:
      for (const block of turn.blocks) {
        if (block.type === 'toolCall') calls.set(block.id, getCallTitle(block));
      }
      return toAll(turn.blocks);
  }
}

function toAll(blocks: readonly Block[]): readonly Part[] {
  return blocks.map(toPart);
}

function foldText(blocks: readonly Block[]): Part {
  return { fold: 'tool', pre: toReadable(joinText(blocks)) };
}

function toImages(blocks: readonly Block[]): readonly Part[] {
  return blocks.filter(({ type }) => type === 'image').map(toPart);
}

function toPart(block: Block): Part {
  switch (block.type) {
    case 'text': {
      const md = renderMarkdown(block.text);
      return md === undefined ? { pre: toReadable(block.text) } : { md };
    }
    case 'thinking': {
      const pre = block.redacted ? '(kept by the provider)' : toReadable(block.text);
      return { fold: 'thinking', title: 'Thinking', pre };
    }
    case 'image':
      return { image: toReadable(`data:${block.mimeType};base64,${block.data}`) };
    case 'toolCall': {
      const given = stringify(block.arguments, 2);
      return { fold: 'tool', title: getCallTitle(block), pre: given };
    }
  }
}

type ToolCall = Extract<Block, { type: 'toolCall' }>;

function getCallTitle(call: ToolCall): string {
  const about = toReadable(describe(call)).trimStart().split('\n', 1)[0] ?? '';
  return `${toReadable(call.name)} ${about}`.trim().slice(0, MAX_TITLE);
}

/** The most informative argument: the first text among them. */
function describe({ arguments: given }: ToolCall): string {
  const values = typeof given === 'object' && given !== null ? Object.values(given) : [given];
  const text: unknown = values.find((value) => typeof value === 'string');
  if (typeof text === 'string') return text.slice(0, 400);
  return values.length === 0 ? '' : stringify(given).slice(0, 400);
}
