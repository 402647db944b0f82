// The program behind the service's figures, on a small store: it runs, and what it measures is there.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../bench/service.ts', import.meta.url));

test('every figure of the porting service is measured', async () => {
  const options = ['--runs', '1', '--ports', '50', '--stores', 'memory', '--json'];
  const { stdout } = await run(process.execPath, [program, ...options]);

  const { results } = JSON.parse(stdout);
  expect(results).toHaveLength(1);
  const figures = Object.entries<number>(results[0].figures);
  expect(figures).toHaveLength(13);
  expect(figures.filter(([, value]) => !(value > 0))).toEqual([]);
});
