import { expect, it } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { someImport } from '../../support/cli/imports.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

const progressOf = (item: ImportItem, requests: readonly RequestItem[] = []) =>
  readImportProgress(
    {
      requests: {
        get: async () => undefined,
        actionRequired: async () => [],
        ofImport: async function* () {
          yield* requests;
        },
      },
    },
    item,
  );

const created = (changes: Partial<RequestItem>) =>
  requestItemOf({ state: 'created', portId: 'port-1', portStatus: 'Submitted', ...changes });

it('counts rows before anything is sent', async () => {
  const item = someImport({ state: 'planned', rows: 10, accepted: 8, rejected: 2 });
  expect(await progressOf(item)).toEqual({ outcomes: { rejected: 2, waiting: 8 } });
});

it('counts the rows of a rejected file as not sent', async () => {
  const item = someImport({ state: 'rejected', rows: 3, accepted: 1, rejected: 2 });
  expect(await progressOf(item)).toEqual({ outcomes: { rejected: 2, 'not-sent': 1 } });
});

it('counts every row once: by its port, by its request where no port was read, and the excluded rows apart', async () => {
  const requests = [
    created({ request: 1, rowCount: 3, portRows: { 'in-progress': 1, 'action-required': 1, cancelled: 1 } }),
    created({ request: 2, rowCount: 4, portId: 'port-2' }),
    requestItemOf({ request: 3, rowCount: 5, state: 'declined' }),
    requestItemOf({
      request: 4,
      rowCount: 6,
      excludedRows: [{ line: 20, subject: '447700900120', code: 'MSISDN_IN_LIVE_IMPORT', message: 'in progress' }],
    }),
  ];
  const item = someImport({ state: 'submitting', rows: 20, accepted: 19, rejected: 1 });
  const { outcomes } = await progressOf(item, requests);
  expect(outcomes).toEqual({
    rejected: 1,
    waiting: 6,
    declined: 5,
    skipped: 1,
    'in-progress': 5,
    'action-required': 1,
    cancelled: 1,
  });
});

it('expects the latest date of the ports in progress, not of those that have ended or require an action', async () => {
  const requests = [
    created({ request: 1, portDate: '2026-07-20' }),
    created({ request: 2, portId: 'port-2', portDate: '2026-07-21' }),
    created({ request: 3, portId: 'port-3', portDate: '2026-07-23', portStatus: 'Complete' }),
    created({
      request: 4,
      portId: 'port-4',
      portDate: '2026-07-24',
      portStatus: 'Pac Check Failed',
      actionRequired: 1,
    }),
  ];
  const { expectedDate } = await progressOf(someImport({ state: 'in-progress' }), requests);
  expect(expectedDate).toBe('2026-07-21');
});
