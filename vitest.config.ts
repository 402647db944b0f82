// One configuration for every test: real servers on port 0, no retries, a seed that is printed.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // The long tests start engines, each with processes of its own: two at a time starve each other on two cores.
    maxWorkers: 1,
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
