// The last line of `npm test` and of `npm run test:all`: what ran, and what did not. With --all it also fails for a
// file of `npm test` that takes longer than four seconds: its name must end in .slow.test.ts then.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { globFiles } from './support/glob-files.ts';

interface Report {
  readonly numPassedTests: number;
  readonly startTime: number;
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

const read = (path: string): Report => JSON.parse(readFileSync(path, 'utf8'));
const millisecondsOf = ({ startTime, endTime }: Report['testResults'][number]): number => endTime - startTime;

function tookText(...reports: readonly Report[]): string {
  const seconds = reports.reduce((sum, { startTime, testResults }) => {
    return sum + (Math.max(...testResults.map(({ endTime }) => endTime)) - startTime) / 1000;
  }, 0);
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

const wholeRun = 'test/pipeline/whole-run.test.ts';
const limitMs = 4_000;
/** On a slow or busy machine every file takes longer: then the limit is this share of the time of all. */
const limitShare = 0.03;

/** The files above the limit, and their times. */
function aboveLimit({ testResults }: Report, limit: number): [string, number][] {
  return testResults
    .map((file): [string, number] => [relative('.', file.name), millisecondsOf(file)])
    .filter(([path, milliseconds]) => milliseconds > limit && path !== wholeRun);
}

/** A file that the machine kept waiting once is not slow: it is measured again, with nothing of ours beside it. */
function tooSlow(report: Report): string[] {
  const limit = Math.max(limitMs, limitShare * report.testResults.reduce((sum, file) => sum + millisecondsOf(file), 0));
  const suspects = aboveLimit(report, limit).map(([path]) => path);
  if (suspects.length === 0) return [];
  const outputFile = 'reports/measured-again.json';
  const options = ['--project', 'fast', '--maxWorkers', '1', '--reporter', 'json', '--outputFile.json', outputFile];
  execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options, ...suspects]);
  return aboveLimit(read(outputFile), limit).map(([path, time]) => `${path} takes ${Math.round(time / 1000)} s`);
}

const fast = read('reports/tests.json');
const left = globFiles('test/**/*.{slow,program}.test.ts').length;
if (!process.argv.includes('--all')) {
  console.log(
    `Ran the checks, ${fast.numPassedTests} tests and one import through the whole pipeline (tests: ${tookText(fast)}). ` +
      `Not run: ${left} slower test files. npm run test:all runs everything, in about 10 minutes on 2 cores.`,
  );
} else {
  const slow = read('reports/slow-tests.json');
  console.log(`Ran everything: ${fast.numPassedTests + slow.numPassedTests} tests in ${tookText(fast, slow)}.`);
  const problems = tooSlow(fast);
  for (const problem of problems)
    console.error(`${problem}: a test of npm test takes 4 s at most. Name it .slow.test.ts.`);
  if (problems.length > 0) process.exitCode = 1;
}
