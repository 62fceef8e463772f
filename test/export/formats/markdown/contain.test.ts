import MarkdownIt from 'markdown-it';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containMarkdown, fence } from '../../../../src/export/formats/markdown/contain.ts';

/** What a reader that lets HTML through makes of it, with something of ours behind it. */
function render(text: string): string {
  return new MarkdownIt({ html: true }).render(`${containMarkdown(text)}\n\n## After\n`);
}

const EVIL = '<img src=x onerror=alert(1)>';

describe('names of characters that nobody could see', () => {
  it.each([
    'a &#x202e;b&#8203; c&zwnj;d &shy;',
    '[a](https://x.org "&#x202e;") &#x200B;',
    '`a\n\n&#x202e;`',
    '| a |\n|---|\n| &#xad; |',
  ])('are shown as text: %j', (text) => {
    expect(render(text)).not.toMatch(/\u202e|\u200b|\u200c|\u00ad/);
    expect(render(text)).toMatch(/&amp;(?:#x?\w+|shy);/);
  });

  it('leave other entities and code alone', () => {
    const text = 'a &amp; b &copy; `&#x202e;`\n\n    &#x202e;';
    expect(containMarkdown(text)).toBe(text);
  });
});

describe('HTML in Markdown that somebody else wrote', () => {
  it.each([
    `a <b onmouseover=alert(1)>b</b> c`,
    `<iframe src=//evil>`,
    `<script>\n\nalert(1)`,
    `\\${EVIL}`,
    `\\\\${EVIL}`,
    `[a](x\`y) ${EVIL} \``,
    `[a](\n\`x) ${EVIL} \``,
    `a \`\n\`${EVIL}\``,
    `\`\n- ${EVIL} \``,
    `| \` | ${EVIL} \` |\n|---|---|\n| \` | ${EVIL} \` |`,
    `- \`\`\`\n  x\n  \`\`\`\n\n${EVIL}`,
    `- a\n  \`\`\`\n${EVIL}`,
    `> \`\`\`\n${EVIL}`,
    `- a\n\n    ${EVIL}`,
    `<https://a"onmouseover=alert(1)>`,
    `<!-- ${EVIL}`,
    `[^1]: \`\`\`\n${EVIL}`,
  ])('is shown as text: %j', (text) => {
    const html = render(text);
    expect(html).not.toMatch(/<(?:img|b[ >]|script|iframe|!--)/);
    expect(html).toContain('<h2>After</h2>');
  });

  it.each([
    ['`<b>` and ``a ` <i>``', '`<b>` and ``a ` <i>``'],
    ['```html\n<div>\n```', '```html\n<div>\n```'],
    [
      '1. So:\n\n   ```js\n   if (a < b) <div/>\n   ```\n2. <p>',
      '1. So:\n\n   ```js\n   if (a < b) <div/>\n   ```\n2. &lt;p>',
    ],
    ['So:\n\n    <pre>\n\n<p>', 'So:\n\n    <pre>\n\n&lt;p>'],
    ['a < b `x` <c>', 'a &lt; b `x` &lt;c>'],
    ['no tags, *but* [links](https://a)', 'no tags, *but* [links](https://a)'],
  ])('leaves code as it is: %j', (text, contained) => {
    expect(containMarkdown(text)).toBe(contained);
  });

  it('never becomes HTML, and swallows nothing, whatever stands around it', () => {
    const words = [
      '`',
      '``',
      '```',
      '~~~',
      '\n',
      '\n\n',
      '- ',
      '> ',
      '    ',
      '|',
      '[a](',
      ')',
      ']',
      '\\',
      '\n- ```',
    ];
    const part = fc.constantFrom(...words, EVIL, '<b>', 'x');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const html = render(parts.join(''));
        expect(html).not.toMatch(/<(?:img|b>)/);
        expect(html).toContain('<h2>After</h2>');
      }),
      { seed: 17, numRuns: 2000 },
    );
  });
});

describe('a code block', () => {
  it('that is left open is closed by the marks that opened it', () => {
    expect(containMarkdown('````js\na ```')).toBe('````js\na ```\n````');
    expect(containMarkdown('- ```\n  x\n  ```')).toBe('- ```\n  x\n  ```');
  });

  it('holds any text, however long its runs of backticks are', () => {
    const text = `${'` '.repeat(20_000)}\n\`\`\`\`\n${EVIL}`;
    expect(fence(text).startsWith('`````\n')).toBe(true);
  });

  it('is what a text becomes that is too long to be prose', () => {
    expect(containMarkdown(`${'x'.repeat(50_000)}${EVIL}`)).toMatch(/^```\nx[^]*\n```$/);
  });
});
