// One configuration for every test: real servers on port 0, no retries, a seed that is printed.
import { defineConfig } from 'vitest/config';

/** Where tests start engines, each with processes of its own: two at a time starve each other on two cores. */
const withEngines = [
  'test/cli/**/*.test.ts',
  'test/local/**/*.test.ts',
  'test/pipeline/**/*.test.ts',
  'test/security/**/*.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    projects: [
      {
        extends: true,
        test: { name: 'engines', include: withEngines, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: withEngines,
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
