import { expect, test } from 'vitest';
import { newImport } from '#functions/ingest/new-import.ts';
import type { AuditEntry } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { auditEntry } from '#shared/results/answers.ts';
import { readAuditTrail } from '#shared/results/audit-trail.ts';
import type { Audit } from '#shared/store/people.ts';
import { emptyAccount, partsAmong } from '../../support/cli/account.ts';
import { double } from '../../support/double.ts';

const about = {
  importId: 'a',
  account: '1001@service',
  operation: 'create-port',
  bucket: 'inbox',
  key: 'plan/create-port/x.csv',
};
const item: ImportItem = {
  ...newImport(
    {
      ...(about as typeof about & { operation: 'create-port' }),
      etag: 'e',
      bytes: 1,
      planOnly: true,
      expiresAt: 1_850_000_000,
    },
    at(1),
  ),
  uploadedBy: { principal: 'AROAX:anna', sourceIp: '198.51.100.7' },
  declinedApproval: {
    by: 'anna',
    principal: 'AROAX:anna',
    at: at(2),
    reason: 'the person who uploaded cannot approve',
  },
  approvedAt: at(3),
  requestedBy: { by: 'ben', because: 'order 7', principal: 'AROAX:ben' },
  planHash: 'f00d',
};
const { declinedApproval: _, approvedAt: __, ...common } = item;
const rescheduled: ImportItem = {
  ...common,
  importId: 'b',
  receivedAt: at(4),
  reschedules: { importId: 'a', date: '2026-07-02' },
  partOf: { importId: 'a', kind: 'move' },
  requestedBy: { by: 'carl' },
};
const first = { ...item, hasParts: true };
const request = { request: 7, resolution: { at: at(5), by: 'dora', what: 'adopt' } } as RequestItem;

function at(hour: number): string {
  return `2026-06-29T0${hour}:00:00.000Z`;
}

const trailOf = async (recorded: readonly AuditEntry[]) =>
  readAuditTrail(
    {
      ...emptyAccount,
      imports: {
        ...emptyAccount.imports,
        get: async (importId) => [first, rescheduled].find((one) => one.importId === importId),
        parts: async () => partsAmong([rescheduled], first),
      },
      requests: {
        ...emptyAccount.requests,
        ofImport: async function* (importId) {
          if (importId === 'a') yield request;
        },
      },
    },
    double<Audit>({
      ofImport: async (importId) => (importId === 'a' ? [...recorded] : []),
      withoutDownloads: async () => [],
    }),
    first,
  );

test('an audit trail names the principals of AWS, and who only named themselves', async () => {
  const entries = await trailOf([]);
  expect(entries.map((entry) => auditEntry.parse(entry))).toMatchObject([
    { at: at(1), action: 'uploaded', principal: 'AROAX:anna', sourceIp: '198.51.100.7', isVerified: true, by: null },
    { at: at(2), action: 'approval-declined', principal: 'AROAX:anna', details: { reason: expect.any(String) } },
    { at: at(3), action: 'approved', principal: 'AROAX:ben', because: 'order 7', details: { planHash: 'f00d' } },
    { at: at(4), action: 'rescheduled', by: 'carl', principal: null, isVerified: false, details: { import: 'b' } },
    { at: at(5), action: 'resolved', by: 'dora', isVerified: false, details: { request: '7', resolution: 'adopt' } },
  ]);
});

const recordedOf = (action: AuditEntry['action'], by: string, details: AuditEntry['details']): AuditEntry => ({
  at: at(3),
  action,
  actorId: 'sub-1',
  by,
  details,
});

test('what the API recorded replaces what the items show of it', async () => {
  const approval = recordedOf('approved', 'ben', { planHash: 'f00d', rows: '2' });
  const approvals = (await trailOf([approval])).filter(({ action }) => action === 'approved');
  expect(approvals).toMatchObject([{ by: 'ben', principal: 'sub-1', isVerified: true, details: { rows: '2' } }]);
});

test('what was done without the API is shown beside what the API recorded of the same kind', async () => {
  const entries = await trailOf([
    recordedOf('approved', 'olga', { planHash: 'f00d' }),
    recordedOf('rescheduled', 'olga', { import: 'c', date: '2026-07-03' }),
    recordedOf('resolved', 'olga', { request: '6', resolution: 'adopt' }),
  ]);
  const shown = (action: string) => entries.filter((entry) => entry.action === action).map(({ by }) => by);
  expect(shown('approved').sort()).toEqual(['ben', 'olga']);
  expect(shown('rescheduled').sort()).toEqual(['carl', 'olga']);
  expect(shown('resolved').sort()).toEqual(['dora', 'olga']);
});
