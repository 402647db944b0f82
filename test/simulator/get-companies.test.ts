// GET /api/company (spec "Lookups for provisioning").
import { expect, test } from 'vitest';
import { startTestSimulator } from '../support/service/simulator.ts';

test("the companies of the caller's account are listed with their counts", async () => {
  const service = await startTestSimulator();
  expect((await service.call('GET', '/api/company')).body).toEqual({
    result: [
      { id: 1, name: 'Northwind Telematics Ltd' },
      { id: 2, name: 'Northwind Fleet Ltd' },
    ],
    totalCount: 2,
    count: 2,
  });
  expect((await service.call('GET', '/api/company', { client: 1 })).body.count).toBe(1);
});
