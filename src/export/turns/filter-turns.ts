import { IMAGE_EXTENSIONS, isImageData } from '../../session/model/text/image-block.ts';
import type { Block, Turn } from '../../session/model/text/conversation.ts';
import type { ImageMode } from '../formats/format.ts';
import { formatNumber } from '../../session/model/text/numbers.ts';

export interface TurnFilter {
  readonly thinking: boolean;
  readonly tools: boolean;
  readonly images: ImageMode;
  /** Keeps the bytes of an image; the path by which the export can name it. */
  readonly saveImage?: ((bytes: Buffer, extension: string) => Promise<string>) | undefined;
}

type ImageBlock = Extract<Block, { type: 'image' }>;

/** Leaves out thoughts and tools, and turns images into what was asked for. */
export async function* filterTurns(
  turns: AsyncIterable<Turn>,
  filter: TurnFilter,
): AsyncGenerator<Turn> {
  for await (const turn of turns) {
    if (turn.role === 'toolResult' && !filter.tools) continue;
    const kept = turn.blocks.filter(({ type }) => isKept(type, filter));
    if (kept.some(({ type }) => type === 'image')) {
      yield { ...turn, blocks: await convertImages(kept, filter) };
    } else yield kept.length === turn.blocks.length ? turn : { ...turn, blocks: kept };
  }
}

function isKept(type: Block['type'], { thinking, tools }: TurnFilter): boolean {
  return type === 'thinking' ? thinking : type !== 'toolCall' || tools;
}

async function convertImages(blocks: readonly Block[], filter: TurnFilter): Promise<Block[]> {
  const converted: Block[] = [];
  for (const block of blocks) {
    converted.push(block.type === 'image' ? await convertImage(block, filter) : block);
  }
  return converted;
}

async function convertImage(image: ImageBlock, filter: TurnFilter): Promise<Block> {
  const extension = IMAGE_EXTENSIONS.get(image.mimeType);
  const isSound = extension !== undefined && isImageData(image.data);
  if (filter.images === 'drop' || !isSound) return { type: 'text', text: describe(image) };
  if (filter.images === 'inline' || !filter.saveImage) return image;
  const path = await filter.saveImage(Buffer.from(image.data, 'base64'), extension);
  return { ...image, data: '', path };
}

function describe({ mimeType, data }: ImageBlock): string {
  const kind = mimeType.slice(0, 40) || 'unknown type';
  return `[image: ${kind}, ${formatNumber(Math.round((data.length * 3) / 4))} bytes]`;
}
