// One configuration for all tests.
import { defineConfig } from 'vitest/config';

/** Tests that start emulators with several processes run one at a time: two cores are too few for more. */
const withEmulator = [
  'test/console/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/local/**/*.test.ts',
  'test/packages/**/*.test.ts',
  'test/pipeline/**/*.test.ts',
  'test/security/**/*.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: { name: 'emulator', include: withEmulator, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: withEmulator,
          // One module graph per worker instead of one per file: half of the CPU time was spent on imports.
          isolate: false,
          setupFiles: ['test/support/zod-messages.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
    reporters: ['default', ['json', { outputFile: 'reports/tests.json' }]],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    teardownTimeout: 20_000,
    env: {
      CDK_VALIDATION: 'false',
      AWS_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
  },
});
