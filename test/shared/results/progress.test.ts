// The progress of an import, and the groups of its plan.
import { describe, expect, it, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { readImportProgress, readPlanGroups } from '#shared/results/progress.ts';
import type { AccountReader } from '#shared/store/account.ts';
import { someImport } from '../../support/cli/imports.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

describe('an import', () => {
  const progressOf = (item: ImportItem, requests: readonly RequestItem[] = []) =>
    readImportProgress(
      {
        requests: {
          get: async () => undefined,
          getMany: async () => () => undefined,
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
    const subject = '447700900120';
    const excludedRows = [{ line: 20, subject, code: 'MSISDN_IN_LIVE_IMPORT' as const, message: 'in progress' }];
    const requests = [
      created({ request: 1, rowCount: 3, portRows: { 'in-progress': 1, 'action-required': 1, cancelled: 1 } }),
      created({ request: 2, rowCount: 4, portId: 'port-2', excludedRows }),
      requestItemOf({ request: 3, rowCount: 5, state: 'declined' }),
      // It waits, so it may still send the row.
      requestItemOf({ request: 4, rowCount: 6, excludedRows }),
    ];
    const item = someImport({ state: 'submitting', rows: 20, accepted: 19, rejected: 1 });
    const { outcomes } = await progressOf(item, requests);
    expect(outcomes).toEqual({
      rejected: 1,
      waiting: 7,
      declined: 5,
      skipped: 1,
      'in-progress': 4,
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
});

// The requests of a plan in groups, with the reason of a date that was chosen.
describe('the groups of a plan', () => {
  test('a group of a date in the file and of "auto" shows why the date was chosen, in any order of the requests', async () => {
    const why = '2026-07-03 is a Friday, the first day with 2 days of notice from 2026-07-01';
    const plan = { key: 'plan.ndjson', start: 0, end: 1, digest: 'sha-256' };
    const sample = {
      head: { tariffId: 2001, boltOns: [101, 102], provisioningOrderName: null, groupName: 'of ABC123456', auto: true },
      rows: [{ line: 2, subject: '447700900001' }],
    };
    const requests = [
      { request: 1, token: 'a', label: 'Port to UK Mobile A, 2026-07-03', rowCount: 2, lines: '2-3', plan, sample },
      { request: 2, token: 'b', label: 'Port to UK Mobile A, 2026-07-03', rowCount: 1, lines: '4', plan, why },
    ];
    const index = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
    const files = {
      head: async () => ({ bytes: index.length }),
      read: async function* () {
        yield Buffer.from(index);
      },
    };
    const sources = { resources: { workBucket: 'work' }, files } as unknown as AccountReader;
    const values = [
      { name: 'tariff', value: '2001' },
      { name: 'boltOns', value: '101, 102' },
      { name: 'groupName', value: expect.stringMatching(/^of \W+$|^of (?!ABC123456)/) },
    ];
    const shown = { values, rows: sample.rows };
    expect(await readPlanGroups(sources, { importId: 'import-a' })).toEqual([
      { group: 'Port to UK Mobile A, 2026-07-03', dateReason: why, rows: 3, requestRows: [2, 1], samples: [shown] },
    ]);
  });
});
