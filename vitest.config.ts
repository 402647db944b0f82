// One configuration for all tests. The name of a file decides when it runs:
// - `x.program.test.ts` starts programs (emulators, browsers, commands);
// - `x.slow.test.ts` takes longer than four seconds;
// - every other `x.test.ts` is in `npm test`, with the one run of the whole pipeline, test/pipeline/whole-run.test.ts.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { patienceMs } from './test/support/patience.ts';

const programs = 'test/**/*.program.test.ts';
const slow = 'test/**/*.slow.test.ts';

/** One more than there are cores, because tests also wait, but no more than the free memory can hold. */
const maxWorkers = Math.max(1, Math.min(availableParallelism() + 1, Math.floor(process.availableMemory() / 0.7e9)));

/** A condition is often a whole command: more frequent polls would only keep the machine busy. */
const pollMs = 200;

const inOneProcess = {
  // One module graph per worker instead of one per file: half of the CPU time was spent on imports.
  isolate: false,
  setupFiles: ['test/support/zod-messages.ts', 'test/support/property-seed.ts'],
  // Node runs the sources itself, as in production: code that Vite transforms takes a tenth more CPU time.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'programs',
          include: [programs],
          ...inOneProcess,
          globalSetup: ['test/support/build-once.ts'],
          // On a busy machine a program takes several times as long; a test fails for what it checks, not for that.
          testTimeout: 240_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: patienceMs, interval: pollMs } },
        },
      },
      { extends: true, test: { name: 'slow', include: [slow], ...inOneProcess } },
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [programs, slow], ...inOneProcess },
      },
    ],
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/tests.json' },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 30_000, interval: pollMs } },
    env: {
      CDK_VALIDATION: 'false',
      AWS_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      // Programs of this repository are compiled once, not at each start.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'simporter', 'code'),
    },
  },
});
