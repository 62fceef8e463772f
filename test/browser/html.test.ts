import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../temp-dir.ts';
import { hostileSession, largeSession } from './hostile-session.ts';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

let browser: Browser;

beforeAll(async () => {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: [...FLAGS, ...QUIET] });
});
afterAll(() => browser.close());

interface OpenPage {
  readonly page: Page;
  /** Everything that the page asked for beside itself. */
  readonly requests: string[];
  readonly errors: string[];
}

/** A page that waits as long as a busy machine takes. */
async function openTab(): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  return page;
}

async function open(file: string): Promise<OpenPage> {
  const page = await openTab();
  const requests: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (url !== `file://${file}` && !url.startsWith('data:image/png')) requests.push(url);
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => errors.push(message.text()));
  page.on('dialog', (dialog) => errors.push(dialog.message()));
  await page.goto(`file://${file}`);
  return { page, requests, errors };
}

async function exportPage(session: readonly object[]): Promise<string> {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'session.jsonl': toJsonl(session) });
  const { out, exitCode } = await runTest(['export', join(dir, 'session.jsonl'), '--as', 'html']);
  expect(exitCode).toBe(0);
  await writeFile(join(dir, 'page.html'), out);
  return join(dir, 'page.html');
}

/** Processor time, in seconds, that a browser takes to lay out a page of so many turns and to search it. */
async function measureBusy(turns: number): Promise<number> {
  const file = await exportPage(largeSession(turns));
  const page = await openTab();
  const tools = await page.context().newCDPSession(page);
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`file://${file}`);
  await page.waitForFunction(isDone);
  await page.fill('#q', `needle-${turns - 1}-end`);
  await page.waitForFunction(() => document.querySelector('.hit') !== null);
  const { metrics } = await tools.send('Performance.getMetrics');
  await page.close();
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

const isDone = () => document.body.dataset['done'] === 'yes';

describe('a page of a hostile session', () => {
  it('runs nothing, asks for nothing, and shows text', async () => {
    const { page, requests, errors } = await open(await exportPage(hostileSession()));
    await page.waitForFunction(isDone);
    await page.click('#tools');
    await page.click('#thinking');
    await page.fill('#q', 'onerror');
    await page.waitForFunction(() => document.querySelector('.hit') !== null);
    for (const article of await page.locator('article').all()) await article.hover({ force: true });
    const found = await page.evaluate(() => ({
      owned: 'owned' in window,
      elements: document.querySelectorAll(
        'main iframe, main svg, main link, main meta, main script',
      ).length,
      handlers: [...document.querySelectorAll('*')].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')),
      ).length,
      links: [...document.querySelectorAll('a')].map(({ protocol }) => protocol),
      images: [...document.querySelectorAll('img')].map(({ src }) => src.slice(0, 15)),
      text: document.querySelector('main')?.textContent ?? '',
    }));
    expect(found).toMatchObject({ owned: false, elements: 0, handlers: 0 });
    expect(found.links.filter((protocol) => !/^(https?|mailto):$/.test(protocol))).toEqual([]);
    expect(found.images).toEqual(['data:image/png;']);
    expect(found.text).toContain('<script>window.owned=1</script>');
    expect(found.text).toContain('</script><script>window.owned=2</script>');
    // oxlint-disable-next-line no-control-regex
    expect(found.text).not.toMatch(/[\u0000-\u0008\u001b\u009b]/);
    expect({ requests, errors }).toEqual({ requests: [], errors: [] });
  });

  it('would not run a script either if one came in', async () => {
    const { page } = await open(await exportPage(hostileSession()));
    const isRun = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
      const image = document.createElement('img');
      document.body.append(image);
      image.setAttribute('onerror', 'window.injected = true');
      image.src = 'https://attacker.invalid/x.png';
      await new Promise((resolve) => image.addEventListener('error', resolve));
      return 'injected' in window;
    });
    expect(isRun).toBe(false);
  });
});

describe('a page of 10,000 turns', () => {
  it('is found by its last words, and is there whole', async () => {
    const { page, errors } = await open(await exportPage(largeSession(10_000)));
    await page.waitForSelector('article');
    await page.fill('#q', 'needle-9999-end');
    await page.waitForFunction(() => document.querySelector('.hit') !== null);
    expect(await page.textContent('.hit')).toContain('Turn 9999');
    await page.waitForFunction(isDone);
    expect(await page.locator('article').count()).toBe(10_001);
    expect(errors).toEqual([]);
  });

  it('keeps the browser busy in proportion to its turns', async () => {
    const few = await measureBusy(300);
    // Noise of a busy machine; what grows with the square takes 64 times as much.
    expect(await measureBusy(2400)).toBeLessThan(8 * 3 * few);
  });

  it('switches branches, at the branch point and by the outline', async () => {
    const { page } = await open(await exportPage(largeSession(200)));
    await page.waitForFunction(isDone);
    expect(await page.textContent('.fork')).toContain('Branch 1 of 2');
    await page.click('.fork button:last-child');
    await page.waitForFunction(isDone);
    expect(await page.locator('article').allTextContents()).toHaveLength(3);
    expect(await page.textContent('#turns')).toContain('An answer on the other branch');
    await page.click('nav button:has-text("Turn 4 ")');
    await page.waitForFunction(isDone);
    expect(await page.locator('article').count()).toBe(201);
  });

  it('searches, walks through the matches, and finds them on other branches', async () => {
    const { page } = await open(await exportPage(largeSession(200)));
    await page.fill('#q', 'NEEDLE-15');
    await page.waitForFunction(() => document.querySelector('#hits')?.textContent === '1 / 11');
    await page.press('#q', 'Enter');
    expect(await page.textContent('#hits')).toBe('2 / 11');
    expect(await page.textContent('.hit')).toContain('Turn 150 ');
    await page.fill('#q', 'answer on the other');
    await page.waitForFunction(() => document.querySelector('#hits')?.textContent === '1 / 1');
    expect(await page.textContent('.hit')).toContain('An answer on the other branch');
    await page.fill('#q', 'no such words');
    await page.waitForFunction(() => document.querySelector('#hits')?.textContent === 'none');
  });
});

it('tells results of one tool apart by the calls that they answer', async () => {
  const time = '2026-03-02T00:00:00.000Z';
  const toEntry = (id: string, parentId: string | null, message: object) => {
    return { type: 'message', id, parentId, timestamp: time, message };
  };
  const toCall = (id: string) => ({ type: 'toolCall', id, name: 'saw', arguments: { at: id } });
  const toResult = (toolCallId: string, isError: boolean) => {
    const content = [{ type: 'text', text: `cut ${toolCallId}` }];
    return { role: 'toolResult', toolCallId, toolName: 'saw', content, isError };
  };
  const content = ['oak', 'elm'].map(toCall);
  const page = await exportPage([
    { type: 'session', version: 3, id: 's', timestamp: time, cwd: '/orchard' },
    toEntry('aaaa0001', null, { role: 'assistant', content, stopReason: 'toolUse' }),
    toEntry('aaaa0002', 'aaaa0001', toResult('oak', false)),
    toEntry('aaaa0003', 'aaaa0002', toResult('elm', true)),
    toEntry('aaaa0004', 'aaaa0003', toResult('ash', false)),
  ]);
  const opened = await open(page);
  await opened.page.waitForFunction(isDone);
  expect(await opened.page.locator('#turns summary').allTextContents()).toEqual([
    'saw oak',
    'saw elm',
    '✓ saw oak → cut oak',
    '✗ saw elm → cut elm',
    '✓ saw → cut ash',
  ]);
});

describe('tools and thinking', () => {
  it('open and close, one by one and together', async () => {
    const { page } = await open(await exportPage(hostileSession()));
    await page.waitForFunction(isDone);
    const openCount = (): Promise<number> => page.locator('#turns details[open]').count();
    expect(await openCount()).toBe(0);
    await page.click('#turns details.thinking summary');
    expect(await openCount()).toBe(1);
    await page.click('#tools');
    const all = await page.locator('#turns details').count();
    expect(await openCount()).toBe(all);
    await page.click('#tools');
    expect(await openCount()).toBe(1);
  });
});

describe('the overview', () => {
  it('sorts, filters, and shows hostile names as text', async () => {
    const dir = await makeTempDir();
    await writeFiles(dir, {
      'in/a.jsonl': toJsonl(hostileSession()),
      'in/b.jsonl': toJsonl(largeSession(8)),
    });
    await runTest(['export', '--store', 'in', '--as', 'html', '--out', 'site'], { cwd: dir });
    const { page, requests, errors } = await open(join(dir, 'site', 'index.html'));
    const rows = page.locator('#sessions tbody tr');
    await page.click('th:has-text("Messages") button');
    expect(await rows.first().textContent()).toContain('orchard');
    await page.click('th:has-text("Messages") button');
    expect(await rows.last().textContent()).toContain('orchard');
    await page.fill('#filter', 'orchard');
    expect(await rows.filter({ visible: true }).count()).toBe(1);
    expect(await page.evaluate(() => 'owned' in window)).toBe(false);
    expect({ requests, errors }).toEqual({ requests: [], errors: [] });
  });

  it('opens on a phone at the newest days, and breaks names behind their separators', async () => {
    const dir = await makeTempDir();
    const cwd = '/home/someone/projects/internationalization/packages/frontend';
    const timestamp = '2026-03-02T00:00:00.000Z';
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
    const content = [{ type: 'text', text: 'Planted.' }];
    const message = { role: 'assistant', content, provider: 'acme', model: 'oak-1', usage };
    const session = toJsonl([
      { type: 'session', version: 3, id: 's', timestamp, cwd },
      { type: 'message', id: 'aaaa0001', parentId: null, timestamp, message },
    ]);
    await writeFiles(dir, { 'in/a.jsonl': session, 'in/b.jsonl': session });
    await runTest(['export', '--store', 'in', '--as', 'html', '--out', 'site'], { cwd: dir });
    const { page } = await open(join(dir, 'site', 'index.html'));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    const found = await page.evaluate(() => {
      const bounds = (selector: string) =>
        document.querySelector(selector)?.getBoundingClientRect();
      const name = document.querySelector('.cards .name')?.childNodes ?? [];
      const words = [...name].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const countLines = (word: Node): number => {
        const range = document.createRange();
        range.selectNodeContents(word);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
      };
      return {
        newest: Math.round((bounds('svg')?.right ?? 0) - (bounds('.scroll')?.right ?? 0)),
        width: document.documentElement.scrollWidth,
        broken: words.filter((word) => countLines(word) > 1).map(({ textContent }) => textContent),
      };
    });
    expect(found).toEqual({ newest: 0, width: 390, broken: [] });
  });
});
