// npm run bench on small amounts: its parts, their figures, what it says of wrong options; and the plot.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { plotBars } from '../../bench/plot.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

test('with --json every part that was asked for is a field, and nothing else is printed', async () => {
  const { stdout } = await run(process.execPath, [program, '--quick', '--only', 'sync', '--json']);
  const figures = JSON.parse(stdout);
  expect(Object.keys(figures)).toEqual(['sync']);
  expect(figures.sync.length).toBeGreaterThan(0);
  for (const { calls, bound } of figures.sync) expect(calls).toBeLessThanOrEqual(bound);
});

test('an unknown part is refused, and all parts are named', async () => {
  const failed = await run(process.execPath, [program, '--only', 'ingest,speed']).catch((error) => error);
  expect(failed).toMatchObject({ code: 2, stdout: '' });
  expect(failed.stderr).toContain('ingest,endToEnd,sync,writes,startup');
});

const bars = [
  { label: 'the <slow> one', value: 1_000, isOurs: false },
  { label: 'ours & fast', value: 4_000, isOurs: true },
];

test('the plot has a bar for each program, the fastest first and the longest, with its figure', () => {
  const svg = plotBars('Rows', 'note', bars);
  const [first = 0, second = 0] = [...svg.matchAll(/<rect[^>]* width="(\d+)"/g)].map(([, width]) => Number(width));
  expect(first / second).toBeCloseTo(4, 1);
  expect(svg.indexOf('ours &amp; fast')).toBeLessThan(svg.indexOf('the &lt;slow&gt; one'));
  expect(svg).toContain('>4,000<');
});

test('the plot of docs/performance.md is one that this program made', () => {
  const svg = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'performance.svg'), 'utf8');
  const frame = plotBars('Rows ingested in a second of CPU time', '', []).split('\n');
  expect(svg).toContain(frame.slice(1, frame.findIndex((line) => line.includes('</style>')) + 2).join('\n'));
});
