// How the console is opened in the browser of the person who starts the pipeline.
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { openBrowser } from '#cli/commands/start.ts';
import { notOn } from '../support/not-on.ts';

notOn(['Windows'], 'files have no mode bits')(
  'the token of the console is no argument of a process, which every user of the machine can list',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simporter-browser-'));
    const seen = join(folder, 'arguments');
    for (const name of ['xdg-open', 'open']) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" > ${seen}.part\nmv ${seen}.part ${seen}\n`, {
        mode: 0o755,
      });
    }
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    const data = mkdtempSync(join(tmpdir(), 'simporter-data-'));
    openBrowser('http://127.0.0.1:4747/#token=secret', data);
    await expect.poll(() => existsSync(seen)).toBe(true);
    const page = readFileSync(seen, 'utf8').trim();
    expect(page).not.toContain('secret');
    // It is removed with the data, and each start writes it again.
    expect(page).toBe(join(data, 'console.html'));
    expect(readFileSync(page, 'utf8')).toContain('url=http://127.0.0.1:4747/#token=secret');
    expect(statSync(page).mode & 0o077).toBe(0);
    vi.unstubAllEnvs();
  },
);
