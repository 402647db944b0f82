// The folder of the option --directory.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '#cli/program.ts';
import { findRunningEmulator } from '#local/data-folder.ts';
import { memoryStream } from '../../support/cli/terminal.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-directory-'));
  await writeFile(join(folder, 'july.csv'), 'msisdn\n');
});
afterAll(() => rm(folder, { recursive: true }));

async function run(...words: string[]) {
  const [out, err] = [memoryStream(), memoryStream()];
  const streams = { stdout: out.stream, stderr: err.stream };
  const signal = AbortSignal.timeout(3_000);
  const exitCode = await runCommandLine(words, { ...streams, env: {}, folder, clock: Date.now, signal });
  return { exitCode, stderr: err.text() };
}

describe.each([['start', '--no-open'], ['status', 'abcd'], ['events']])('%s', (...words) => {
  test.each([
    ['july.csv', '"july.csv" is a file, not a folder.'],
    ['', 'The name of the folder is empty.'],
  ])('declines --directory "%s", and changes nothing', async (directory, problem) => {
    expect(await run(...words, '--directory', directory)).toEqual({
      exitCode: 2,
      stderr: `error: --directory: ${problem}\n→ Name a folder: --directory .local-2\n`,
    });
    expect(await readFile(join(folder, 'july.csv'), 'utf8')).toBe('msisdn\n');
  });
});

test('a file of the emulator that cannot be read is not called damaged', async () => {
  await expect(findRunningEmulator(join(folder, 'july.csv'))).rejects.toMatchObject({
    code: 'ENOTDIR',
    message: expect.not.stringContaining('damaged'),
  });
});
