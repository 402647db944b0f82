// A real browser from npm, without a download at run time.
import { type Browser, chromium as driver, type LaunchOptions } from 'playwright-core';
import { patienceMs } from '../../support/patience.ts';

/** The package unpacks its own libraries where it believes that it runs on Lambda: the machine may lack libnss3. */
const lambdaRuntime = { AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x', AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };

/** Not those of the package: they disable the same-origin policy and end the browser with its first page. */
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'];

/** Unpacks the browser where this machine has not done it yet; two files at once would start a half-written one. */
export async function unpackBrowser(): Promise<LaunchOptions> {
  // The package has a browser for Linux only. Elsewhere it is the Chrome of the machine.
  if (process.platform !== 'linux') return { channel: 'chrome' };
  const before = { ...process.env };
  Object.assign(process.env, lambdaRuntime);
  const { default: chromium } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  const env = { ...process.env } as Record<string, string>;
  // The AWS SDK and the emulator of the same process must not believe it. Vitest keeps the object of the variables:
  // where another one took its place, it would remove none that a test has set.
  for (const name of Object.keys(env)) if (before[name] === undefined) delete process.env[name];
  Object.assign(process.env, before);
  return { executablePath, args, env };
}

export async function launchBrowser(): Promise<Browser> {
  const browser = await driver.launch({ ...(await unpackBrowser()), headless: true });
  return browser.on('context', (context) => context.setDefaultTimeout(patienceMs));
}
