// What happened to a number: a later decline never hides that it was ported.
import { expect, test } from 'vitest';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { readNumberDetails } from '#shared/results/numbers.ts';
import { emptyAccount } from '../../support/cli/account.ts';
import { portItemOf, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';

const rows = portRowsOf('PacValid').map((row) => ({ ...row, line: 2, msisdn: '447700900001' }));
const first: NumberItem = {
  number: '447700900001',
  importId: 'import-a',
  request: 1,
  line: 2,
  claimedAt: '2026-07-01T09:00:00.000Z',
  latest: { portId: 'port-a', status: 'Complete', readAt: '2026-07-08T09:00:00.000Z', ended: true },
};
const ported = { importId: 'import-a', line: 2, at: '2026-07-08T09:00:00.000Z' };
const second: NumberItem = { ...first, importId: 'import-b', line: 7, claimedAt: '2026-07-20T09:00:00.000Z', ported };
const successful = requestItemOf({ importId: 'import-a', state: 'created', portId: 'port-a', portStatus: 'Complete' });
const error = { kind: 'declined', message: 'The number is not with this network' };

const detailsWith = (later: Partial<RequestItem>) =>
  readNumberDetails(
    {
      ...emptyAccount,
      numbers: { ...emptyAccount.numbers, get: async () => second, history: async () => [first] },
      requests: {
        ...emptyAccount.requests,
        get: async (importId) => (importId === 'import-a' ? successful : requestItemOf({ importId, ...later })),
      },
      ports: {
        ...emptyAccount.ports,
        get: async (portId) => (portId === 'port-a' ? portItemOf({ portId, status: 'Complete' }) : undefined),
        rows: async (portId) => (portId === 'port-a' ? rows : undefined),
      },
    },
    '447700900001',
  );

test('a number whose later request was declined is shown as ported, and names the later import', async () => {
  const details = await detailsWith({ state: 'declined', lines: '7', error, endedAt: '2026-07-20T09:01:00.000Z' });
  expect(details).toMatchObject({ outcome: 'complete', importId: 'import-a', line: 2, portId: 'port-a' });
  expect(details?.earlierImports).toEqual([]);
  expect(details?.laterImports).toEqual([
    { importId: 'import-b', line: 7, claimedAt: second.claimedAt, outcome: 'declined', message: error.message },
  ]);
});

test('a later request that was sent is shown first', async () => {
  const details = await detailsWith({ state: 'created', lines: '7', portId: 'port-b', portStatus: 'Submitted' });
  expect(details).toMatchObject({ outcome: 'in-progress', importId: 'import-b', line: 7, laterImports: [] });
  expect(details?.earlierImports).toEqual([{ importId: 'import-a', line: 2, claimedAt: first.claimedAt }]);
});

test('the time of the call is that of the request, and unknown while nothing was sent', async () => {
  const submittedAt = '2026-07-20T11:30:00.000Z';
  const sent = await detailsWith({ state: 'created', lines: '7', portId: 'port-b', submittedAt });
  expect(sent).toMatchObject({ importId: 'import-b', claimedAt: second.claimedAt, submittedAt });
  // The service limited the call: it is made later.
  const planned = await detailsWith({ state: 'planned', lines: '7', submittedAt });
  expect(planned).toMatchObject({ importId: 'import-b', submittedAt: null });
});
