import { expect, it } from 'vitest';
import { renderMarkdown } from '../../../../src/export/formats/html/render-markdown.ts';

it('shows what an entity stands for, unless nobody could see it', () => {
  expect(renderMarkdown('a &#x202e;b&ZeroWidthSpace;c &#27;[31m &eacute;')).toBe(
    '<p>a \ufffdb\ufffdc \ufffd[31m é</p>\n',
  );
});
