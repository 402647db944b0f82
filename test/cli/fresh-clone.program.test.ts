// `npm start` in a fresh clone: nothing that an earlier build left helps it. `.ci/run` runs the other commands of the
// README.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../console/support/browser.ts';
import { startedJson } from '../support/cli/json-shapes.ts';
import { notOn } from '../support/not-on.ts';

const repository = join(import.meta.dirname, '..', '..');
let clone = '';

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'simporter-clone-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean))
    if (!file.startsWith('test/')) cpSync(join(repository, file), join(clone, file));
  // As `npm ci` leaves it: the packages, and none of the caches.
  const packages = join(repository, 'node_modules');
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(packages))
    if (name !== '.cache') symlinkSync(join(packages, name), join(clone, 'node_modules', name), 'junction');
});
afterAll(async () => {
  await rm(clone, { recursive: true, force: true });
});

notOn(['Windows'], 'Ctrl-C reaches a group of processes')('npm start opens the console', async () => {
  const start = spawn('npm', ['start', '--silent', '--', '--json', '--no-open'], {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise((resolve) => start.once('exit', resolve));
  const browser = await launchBrowser();
  try {
    const lines = createInterface({ input: start.stdout });
    const first = await lines[Symbol.asyncIterator]().next();
    const { endpoints } = startedJson.parse(JSON.parse(first.value ?? ''));

    const page = await browser.newPage();
    await page.goto(endpoints.console ?? '');

    const heading = page.getByRole('heading', { name: 'Upload the first file' });
    await heading.waitFor();
    expect(await heading.isVisible()).toBe(true);
  } finally {
    await browser.close();
    if (start.pid !== undefined) process.kill(-start.pid, 'SIGINT');
    await ended;
  }
});
