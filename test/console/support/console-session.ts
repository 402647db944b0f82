// One browser, one page and one emulator with its console, which the tests of a file share.
import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { colours, findAccessibilityProblems } from './accessibility.ts';
import { launchBrowser } from './browser.ts';
import { takePicture, takeScreenshot } from './screenshot.ts';
import { type StartedConsole, startConsole } from './started-console.ts';

export interface ConsoleSession {
  /** Known once the tests run. */
  readonly started: StartedConsole;
  readonly context: BrowserContext;
  readonly page: Page;
  /** With a separate profile: another person, or another browser. */
  readonly openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>;
  readonly openPage: (options?: OpenPageOptions) => Promise<Page>;
  readonly goTo: (hash: string) => Promise<unknown>;
  /** Stops simporter and starts it with the same data, as open pages see it: at the same address. */
  readonly restart: () => Promise<void>;
  /** Takes a picture, and checks the screen with axe in both modes. */
  readonly inspect: (name: string) => Promise<void>;
  /** Errors of scripts, dialogs that a text opened, and breaches of the Content-Security-Policy. */
  readonly problems: string[];
}

interface OpenPageOptions {
  /** As after the `#` of its address. @default - the address with the token */
  readonly at?: string;
  /** Before it is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** @param speed calendar time divided by wall time */
export function useConsole(speed: number): ConsoleSession {
  const problems: string[] = [];
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let started: StartedConsole;
  /** Where the pages are, also after a restart at another address. */
  let pagesAt: string;
  const openContext = (options?: BrowserContextOptions) =>
    browser.newContext({
      viewport: { width: 1280, height: 860 },
      acceptDownloads: true,
      reducedMotion: 'reduce',
      ...options,
    });
  const openPage = async ({ at, prepare }: OpenPageOptions = {}): Promise<Page> => {
    const opened = await context.newPage();
    opened.on('pageerror', (error) => problems.push(error.message));
    opened.on('dialog', (dialog) => dialog.type() === 'beforeunload' || problems.push(`dialog: ${dialog.message()}`));
    opened.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) problems.push(message.text());
    });
    await prepare?.(opened);
    // The first page of the browser keeps the token for the others.
    await opened.goto(at === undefined ? started.address : `${pagesAt}/#${at}`);
    return opened;
  };
  const restart = async () => {
    const next = await started.restart();
    started = next;
    if (next.url === pagesAt) return;
    // Something else took the port of the pages.
    await context.unrouteAll();
    await context.route(`${pagesAt}/**`, (route) => relay(route, pagesAt, next.url, next.url));
    // The emulator knows the new address only.
    const s3 = next.endpoints.s3 ?? '';
    await context.route(`${s3}/**`, (route) => relay(route, s3, s3, next.url));
  };
  /** Sends a request from `from` to `to`, as if the pages were at `origin`. */
  const relay = async (route: Route, from: string, to: string, origin: string) => {
    const request = route.request();
    const opened = request.frame().page();
    try {
      const headers = { ...(await request.allHeaders()), host: new URL(to).host, origin };
      const response = await route.fetch({ url: request.url().replace(from, to), headers });
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'access-control-allow-origin': pagesAt },
      });
    } catch (error) {
      if (!opened.isClosed()) throw error;
    }
  };
  beforeAll(async () => {
    [browser, started] = await Promise.all([launchBrowser(), startConsole(speed)]);
    pagesAt = started.url;
    context = await openContext();
    page = await openPage();
  });
  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });
  return {
    get started() {
      return started;
    },
    get context() {
      return context;
    },
    get page() {
      return page;
    },
    openContext,
    openPage,
    problems,
    restart,
    goTo: (hash) => page.goto(`${pagesAt}/#${hash}`),
    inspect: (name) => inspectPage(page, name),
  };
}

async function inspectPage(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, name);
  const setDark = (isDark: boolean) =>
    page.locator('body').evaluate((body, dark) => body.classList.toggle('awsui-dark-mode', dark), isDark);
  const light = await findAccessibilityProblems(page);
  await setDark(true);
  const dark = await findAccessibilityProblems(page, colours);
  await takePicture(page, `${name}-dark`);
  await setDark(false);
  expect({ light, dark }).toEqual({ light: [], dark: [] });
}
