// The power goes off in the middle of an import. The next start goes on: no number is ported twice, none is lost.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateRows } from '../../bench/generate-rows.ts';
import { runIn } from '../support/cli-engine.ts';
import { descendants, startEngineProcess, until } from '../support/pipeline-process.ts';
import { numbersPortedTwice, portsAtTheService } from '../support/pipeline-service.ts';

const rows = 3000;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-restart-'));
  await writeFile(join(folder, 'numbers.csv'), [...generateRows({ rows })].join(''));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Progress {
  readonly state: string;
  readonly requests: Readonly<Record<string, number>>;
}

const statusOf = async (): Promise<Progress> => {
  const { stdout, stderr } = await runIn(folder, ['--json', 'status', 'numbers.csv']);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Progress;
};

test('fault 33 and 34: everything is killed in the middle, and the next start finishes without a second port', async () => {
  const directory = join(folder, '.local');
  const before = await startEngineProcess(directory, 1440);
  expect((await runIn(folder, ['import', 'numbers.csv'])).exitCode).toBe(0);
  await until('some requests were created', async () => ((await statusOf()).requests.created ?? 0) >= 3 || undefined);
  await before.killAll();
  expect(descendants(before.engine.pid)).toEqual([]);

  const after = await startEngineProcess(directory, 1440);
  const end = await until('every request was sent', async () => {
    const status = await statusOf();
    return status.state === 'following' || status.state === 'completed' ? status : undefined;
  });
  const ports = await portsAtTheService(after);
  await after.interrupt();

  expect(end.requests).toEqual({ created: ports.length });
  expect(numbersPortedTwice(ports)).toEqual([]);
  expect(ports.reduce((count, port) => count + port.rows.length, 0)).toBe(rows);
}, 240_000);
