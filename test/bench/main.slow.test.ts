// `npm run bench` with small files: its parts, their figures, and errors for wrong options.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('with --json every selected part is a member, and nothing else is printed', async () => {
  const { stdout } = await run(process.execPath, [program, '--quick', '--only', 'sync', '--json']);
  const figures = JSON.parse(stdout);
  expect(Object.keys(figures)).toEqual(['sync']);
  expect(figures.sync.length).toBeGreaterThan(0);
  for (const { calls, bound } of figures.sync) expect(calls).toBeLessThanOrEqual(bound);
});

test('an unknown part is an error that lists all parts', async () => {
  const failed = await run(process.execPath, [program, '--only', 'ingest,speed']).catch((error) => error);
  expect(failed).toMatchObject({ code: 2, stdout: '' });
  expect(failed.stderr).toContain(
    'ingest,throughput,endToEnd,processCosts,smallFile,sync,reconcile,writes,declinedRows,startup,console,largeImport,day',
  );
});

test('an unknown outcome is resolved with a few calls where a long list shows the port at one end', async () => {
  const { stdout } = await run(process.execPath, [program, '--quick', '--only', 'reconcile', '--json']);
  const { reconcile } = JSON.parse(stdout);
  expect(reconcile.find((one: { listed: number }) => one.listed === 50_000)).toMatchObject({ calls: 4, runs: 1 });
});
