// `npm run bench` with small files: its parts, their figures, errors for wrong options, and the plot.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { plotBars } from '../../bench/plot.ts';

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
  expect(failed.stderr).toContain('ingest,throughput,endToEnd,smallFile,sync,freshness,writes,startup,cli');
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

test('the plot of docs/performance.md was created by this program', () => {
  const svg = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'performance.svg'), 'utf8');
  const frame = plotBars('Rows ingested per second of CPU time', '', []).split('\n');
  expect(svg).toContain(frame.slice(1, frame.findIndex((line) => line.includes('</style>')) + 2).join('\n'));
});
