// People sign in at the provider of the console, stay signed in, and sign out.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccessibilityProblems } from '../support/accessibility.ts';
import { clientId, type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import type { serveConsole } from '../support/static-console.ts';

type StaticConsole = Awaited<ReturnType<typeof serveConsole>>;

interface Started {
  readonly browser: Browser;
  readonly server: StaticConsole;
}

/** @param answerTo what the API answers at this address to whoever has signed in */
export function testSignIn(started: () => Started, answerTo: (url: string) => unknown): void {
  describe('where people sign in', () => {
    let provider: IdentityProvider;
    let browser: Browser;
    let server: StaticConsole;
    beforeAll(async () => {
      ({ browser, server } = started());
      provider = await startIdentityProvider(server.url);
      server.configure({ signIn: provider.url, clientId });
    });
    afterAll(() => provider?.close());

    /** The API behind its gateway, which answers like this to a call without the token that is valid now. */
    async function openPage(hash = ''): Promise<{ page: Page; problems: string[] }> {
      const page = await (await browser.newContext()).newPage();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      await page.route('**/api/v1/**', (route) => {
        const isValid = route.request().headers().authorization === `Bearer ${provider.token()}`;
        return isValid && !provider.isRevoked()
          ? route.fulfill({ json: answerTo(route.request().url()) })
          : route.fulfill({ status: 401, json: { message: 'Unauthorized' } });
      });
      await page.goto(`${server.url}${hash}`);
      return { page, problems };
    }

    const signIn = async (page: Page) => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: 'Continue as Anna' }).click();
    };
    const rememberUpload = (page: Page) =>
      page.evaluate(() => {
        const upload = { name: 'Acme July.xlsx', size: 1, lastModified: 1, uploadId: 'a', begunAt: Date.now() };
        localStorage.setItem('simporter.uploads', JSON.stringify([{ ...upload, settings: {} }]));
      });
    const storedHere = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage }));
    const callsOf = (kind: string) => provider.calls.filter((call) => call === `/oauth2/token ${kind}`).length;

    test('a person signs in with a code that only this page can exchange, and returns to the same screen', async () => {
      const { page, problems } = await openPage('#/upload');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      await takeScreenshot(page, 'sign-in');
      await signIn(page);
      await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
      expect(page.url()).toBe(`${server.url}#/upload`);
      expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain(provider.token());
      const { cookies, origins } = await page.context().storageState();
      expect({ cookies, kept: origins.map(({ localStorage }) => localStorage) }).toEqual({ cookies: [], kept: [] });
      await page.reload();
      await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
      expect(problems).toEqual([]);
      await page.context().close();
    });

    test('a token that is about to expire is renewed once, however many calls need it', async () => {
      const { page } = await openPage();
      await signIn(page);
      await page.getByRole('heading', { name: 'Upload the first file' }).waitFor();
      const [before, token] = [callsOf('refresh_token'), provider.token()];
      await page.evaluate(() => {
        const renewal = JSON.parse(sessionStorage.getItem('simporter.renewal') ?? '');
        sessionStorage.setItem('simporter.renewal', JSON.stringify({ ...renewal, expiresAt: Date.now() + 30_000 }));
      });
      await page.reload();
      await page.getByRole('heading', { name: 'Upload the first file' }).waitFor();
      expect(callsOf('refresh_token')).toBe(before + 1);
      expect(provider.token()).not.toBe(token);
      await page.context().close();
    });

    test('the end of the session is shown above the screen, and signing in again continues there', async () => {
      const { page } = await openPage('#/upload');
      await signIn(page);
      await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
      await rememberUpload(page);
      provider.revoke();
      await page.getByText('Your session has expired', { exact: true }).waitFor();
      // Whoever signs in next may be another person.
      expect(await storedHere(page)).not.toContain('Acme');
      await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
      await signIn(page);
      await page.getByRole('heading', { name: 'Upload a file' }).waitFor();
      expect(await page.getByText('Your session has expired', { exact: true }).count()).toBe(0);
      await page.context().close();
    });

    test('signing out forgets the tokens and the names of files here, and ends the session at the provider', async () => {
      const { page } = await openPage();
      await signIn(page);
      await rememberUpload(page);
      await page.getByRole('button', { name: 'anna@example.com' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(provider.calls.slice(-2)).toEqual(['/oauth2/revoke', '/logout']);
      expect(provider.isRevoked()).toBe(true);
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      expect(await storedHere(page)).not.toContain('Acme');
      await page.context().close();
    });

    test('a token in the address signs nobody in', async () => {
      const { page } = await openPage(`#token=${provider.token()}`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      await page.context().close();
    });

    test.each([
      ['?code=stolen&state=forged', 'This tab did not ask for this sign-in. Sign in again.'],
      ['?error=access_denied&state=forged', 'This tab did not ask for this sign-in. Sign in again.'],
    ])('an answer %s that this tab did not ask for is not used', async (answer, text) => {
      const before = provider.calls.length;
      const { page } = await openPage(answer);
      await page.getByText(text).waitFor();
      expect(page.url()).toBe(`${server.url}#/`);
      expect(provider.calls).toHaveLength(before);
      await page.context().close();
    });

    test('the page shows that a sign-in was cancelled', async () => {
      const { page } = await openPage();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByText('The sign-in was cancelled.').waitFor();
      await page.context().close();
    });
  });
}
