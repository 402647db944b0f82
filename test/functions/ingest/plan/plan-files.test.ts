// The files of a plan are written in an order in which a crash leaves nothing that misleads the release.
import { expect, test } from 'vitest';
import { PlanWriter } from '#functions/ingest/plan/plan-files.ts';
import type { Files } from '#shared/store/files.ts';
import { double } from '../../../support/double.ts';

test('the index names a plan only once the plan is there, so a killed delivery cannot replace the index of another', async () => {
  const closed: string[] = [];
  const files = double<Files>({
    open: (_bucket: string, key: string) => ({
      write: async () => undefined,
      abort: async () => undefined,
      close: async () => {
        if (key.endsWith('-plan.ndjson')) throw new Error('the delivery was killed');
        closed.push(key);
      },
    }),
  });
  const plan = new PlanWriter(files, 'work', { importId: 'import-a', operation: 'create-port', attemptId: 'second' });
  await expect(plan.close()).rejects.toThrow('killed');
  expect(closed).toEqual([]);
});
