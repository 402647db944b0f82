// One configuration for all tests.
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import SlowFirst from './test/support/slow-first.ts';

/** Tests that start programs: emulators, browsers, commands. Each file has its own worker. */
const withPrograms = [
  'test/console/{corrections,flow,shell}.test.ts',
  'test/cli/*.test.ts',
  'test/cli/local-pipeline/**/*.test.ts',
  'test/files/*.test.ts',
  'test/local/*.test.ts',
  'test/local/lambda/**/*.test.ts',
  'test/packages/**/*.test.ts',
  'test/pipeline/**/*.test.ts',
  'test/security/**/*.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the smallest machine has cores: a fourth was no faster, and programs may time out.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'programs',
          include: withPrograms,
          globalSetup: ['test/support/build-once.ts'],
          // On a busy machine a program takes several times as long; a test fails for what it checks, not for that.
          testTimeout: 240_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: withPrograms,
          // One module graph per worker instead of one per file: half of the CPU time was spent on imports.
          isolate: false,
          setupFiles: ['test/support/zod-messages.ts'],
          // Node runs the sources itself, as in production: code that Vite transforms takes a tenth more CPU time.
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
    ],
    reporters: ['default', ['json', { outputFile: 'reports/tests.json' }]],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    teardownTimeout: 20_000,
    // A condition is often a whole command: more frequent polls would only keep the machine busy.
    expect: { poll: { timeout: 30_000, interval: 200 } },
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
