// The requests of a plan in groups, with the reason of a date that was chosen.
import { expect, test } from 'vitest';
import { readPlanGroups } from '#shared/results/progress.ts';
import type { AccountReader } from '#shared/store/account.ts';

test('a group of a date in the file and of "auto" shows why the date was chosen, in any order of the requests', async () => {
  const why = '2026-07-03 is a Friday, the first day with 2 days of notice from 2026-07-01';
  const plan = { key: 'plan.ndjson', start: 0, end: 1 };
  const requests = [
    { request: 1, token: 'a', label: 'Port to UK Mobile A, 2026-07-03', rowCount: 2, plan },
    { request: 2, token: 'b', label: 'Port to UK Mobile A, 2026-07-03', rowCount: 1, plan, why },
  ];
  const index = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
  const files = {
    head: async () => ({ bytes: index.length }),
    read: async function* () {
      yield Buffer.from(index);
    },
  };
  const sources = { resources: { workBucket: 'work' }, files } as unknown as AccountReader;
  expect(await readPlanGroups(sources, 'import-a')).toEqual([
    { group: 'Port to UK Mobile A, 2026-07-03', dateReason: why, rows: 3, requestRows: [2, 1] },
  ]);
});
