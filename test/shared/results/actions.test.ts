import { expect, it } from 'vitest';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { notInPort } from '#shared/port/port-status.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { readActionList } from '#shared/results/actions.ts';
import { partNumber } from '#shared/text/identity.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import { accountWith } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../support/steps/ledger-items.ts';

const receivedAt = iso(noon - 3_600_000);
const july = someImport({
  importId: 'july',
  receivedAt,
  rows: 5,
  accepted: 2,
  rejected: 3,
  columnIndexes: { msisdn: 1 },
});
const rejected = [
  'name,Number,importId,line,errors',
  'A,07700 900101,july,3,x',
  'B,+447700900102,july,4,x',
  'C,unreadable,july,5,x\r\n',
].join('\r\n');
const files = { 'imports/july/rejected.csv': rejected };
const claim = (number: string, claimedAt = iso(noon)): NumberItem => ({
  number,
  importId: 'august',
  request: 1,
  line: 2,
  claimedAt,
  expiresAt: 1_850_000_000,
});
const entriesOf = async (...values: Parameters<typeof accountWith>) =>
  (await readActionList(accountWith(...values), noon)).entries;

it('lists the rejected rows of an import that were not sent since', async () => {
  const claims = [claim('447700900101'), claim('447700900102', iso(noon - 7_200_000))];
  expect(await entriesOf({ imports: [july], files, claims })).toMatchObject([
    { kind: 'rejected', id: 'july', status: 'rejected', rows: 2, summary: '2 rows rejected', solution: 'fix-rows' },
  ]);
});

it('lists none once every number was sent, and all without the file or the column', async () => {
  const readable = { ...files, 'imports/july/rejected.csv': rejected.replace('unreadable', '07700900103') };
  const claims = ['447700900101', '447700900102', '447700900103'].map((number) => claim(number));
  expect(await entriesOf({ imports: [july], files: readable, claims })).toEqual([]);
  expect(await entriesOf({ imports: [july], claims })).toMatchObject([{ rows: 3 }]);
  expect(await entriesOf({ imports: [{ ...july, columnIndexes: {} }], files, claims })).toMatchObject([{ rows: 3 }]);
});

it('lists no rejected row of a validation, of a rejected file, or of an import older than a week', async () => {
  const imports = [
    { ...july, importId: 'validated', planOnly: true },
    { ...july, importId: 'rejected', state: 'rejected' as const },
    { ...july, importId: 'old', receivedAt: iso(noon - 8 * 86_400_000) },
    { ...july, importId: 'approved', planOnly: true, approvedAt: receivedAt },
  ];
  expect((await entriesOf({ imports })).map(({ id }) => id)).toEqual(['approved']);
});

it('lists no rejected row of a file with new PACs: its port is listed', async () => {
  const pacs = { ...july, operation: 'update-port' as const, partOf: { importId: 'june', kind: 'pacs' as const } };
  expect(await entriesOf({ imports: [pacs], files })).toEqual([]);
});

it('lists no duplicate as rejected, before and after report has counted the rows', async () => {
  const sims = { ...july, operation: 'provision' as const, rejected: 3, duplicates: 1 };
  const counted = { ...sims, outcomes: { accepted: 2, rejected: 2, duplicate: 1 } };
  expect(await entriesOf({ imports: [sims], files })).toMatchObject([{ rows: 2 }]);
  expect(await entriesOf({ imports: [counted], files })).toMatchObject([{ rows: 2 }]);
});

it('lists declined rows for a week after the approval, or the last day on which scheduled rows were sent', async () => {
  const day = 86_400_000;
  const isListed = async (sentDaysAgo: number) => {
    const sendOn = iso(noon - sentDaysAgo * day).slice(0, 10);
    const imports = [{ ...declinedImport, receivedAt: iso(noon - 30 * day), sendOn }];
    return (await entriesOf({ imports })).length > 0;
  };
  expect([await isListed(0), await isListed(7), await isListed(8)]).toEqual([true, true, false]);
  const approved = { planOnly: true, approvedAt: iso(noon - day) };
  const late = { ...declinedImport, receivedAt: iso(noon - 30 * day), ...approved };
  expect(await entriesOf({ imports: [late] })).toHaveLength(1);
});

const partOf = (importId: string) => ({ importId, kind: 'correction' as const });
it('lists the rejected rows of a correction with its first import, while that is listed', async () => {
  const correction = { ...july, importId: 'again', partOf: partOf('july') };
  const ids = async (imports: (typeof july)[]) => (await entriesOf({ imports, files })).map(({ id }) => id);
  expect(await ids([july, correction])).toEqual(['july']);
  expect(await ids([correction])).toEqual(['again']);
});

const declinedImport = someImport({
  importId: 'sims',
  operation: 'provision',
  receivedAt,
  rows: 3,
  accepted: 3,
  rejected: 0,
  skippedRows: 1,
  requests: { accepted: 1 },
  outcomes: { accepted: 2, declined: 1 },
  columnIndexes: { serialNumber: 0 },
});
it('lists declined rows of requests that were accepted without them, and not as skipped', async () => {
  const { entries, skipped } = await readActionList(accountWith({ imports: [declinedImport] }), noon);
  expect(entries).toMatchObject([{ kind: 'import', id: 'sims', rows: 1, solution: 'fix-declined' }]);
  expect(entries[0]?.summary).toBe('1 row declined');
  expect(skipped).toEqual([]);
});

it('lists declined rows once, with the first import, until a correction has sent them', async () => {
  const correction = { ...declinedImport, importId: 'fixed', receivedAt: iso(noon), partOf: partOf('sims'), rows: 1 };
  const root = { ...declinedImport, hasParts: true };
  /** As report counts them: the first import with what its correction did. */
  const read = (outcome: Outcome, outcomes: Tally) =>
    entriesOf({
      imports: [
        { ...correction, outcomes: { [outcome]: 1 } },
        { ...root, outcomes },
      ],
    });
  expect(await read('declined', { accepted: 2, declined: 1 })).toMatchObject([{ id: 'sims', rows: 1 }]);
  expect(await read('accepted', { accepted: 3 })).toEqual([]);
});

it('lists rejected rows of SIMs until a correction has sent them', async () => {
  const outcomes = { accepted: 2, rejected: 1 };
  const root = { ...declinedImport, rejected: 1, skippedRows: 0, outcomes, hasParts: true };
  const correction = { ...declinedImport, importId: 'fixed', receivedAt: iso(noon), partOf: partOf('sims'), rows: 1 };
  const imports = [{ ...correction, skippedRows: 0, outcomes: { accepted: 1 } }];
  expect(await entriesOf({ imports: [root] })).toMatchObject([{ kind: 'rejected', rows: 1 }]);
  expect(await entriesOf({ imports: [...imports, { ...root, outcomes: { accepted: 3 } }] })).toEqual([]);
});

it('lists neither rows that a person dismissed, until more are declined, nor those of an archived import', async () => {
  const mark = { by: 'anna', at: receivedAt, rows: 1 };
  const outcomes = { accepted: 1, rejected: 2, declined: 1 };
  const both = { ...declinedImport, rejected: 2, outcomes };
  const kinds = async (changes: object) =>
    (await entriesOf({ imports: [{ ...both, ...changes }] })).map(({ kind }) => kind);
  expect(await kinds({})).toEqual(['rejected', 'import']);
  expect(await kinds({ dismissedDeclined: mark })).toEqual(['rejected']);
  expect(await kinds({ dismissedDeclined: { ...mark, rows: 0 } })).toEqual(['rejected', 'import']);
  expect(await kinds({ dismissedRejected: { ...mark, rows: 2 } })).toEqual(['import']);
  expect(await kinds({ archived: mark })).toEqual([]);
});

it('names the request of which an unknown one is a part', async () => {
  const requests = [7, partNumber(7, 3)].map((request) =>
    requestItemOf({ importId: 'july', request, state: 'action-required', token: `sim1-${request}` }),
  );
  expect((await entriesOf({ requests })).map(({ id, whatToDo }) => [id, whatToDo])).toEqual([
    ['july/7', 'Outcome unknown (no answer): search for sim1-7 in the portal, then resolve it'],
    [
      'july/30000007',
      'Outcome unknown (no answer): search for sim1-30000007 in the portal, then resolve it (part 3 of request 7)',
    ],
  ]);
});

it('names the file of each action, while its import exists', async () => {
  const ports = [portItemOf({ importId: 'july', actionRequired: 1 }), portItemOf({ importId: 'gone' })];
  const entries = await entriesOf({ imports: [july], files, ports });
  expect(entries.map(({ kind, file }) => [kind, file])).toEqual([
    ['port', 'july.csv'],
    ['port', null],
    ['rejected', 'july.csv'],
  ]);
});

it('lists the most urgent of each kind, counts the others, and names the file of an older import', async () => {
  const older = { ...july, importId: 'older', receivedAt: iso(noon - 30 * 86_400_000), rejected: 0 };
  const ports = ['older', 'july', 'older'].map((importId) => portItemOf({ importId, actionRequired: 1 }));
  const { entries, more } = await readActionList(accountWith({ imports: [july, older], files, ports }), noon, 1);
  expect(more).toBe(2);
  expect(entries.map(({ kind, importId, file }) => [kind, importId, file])).toEqual([
    ['port', 'older', 'july.csv'],
    ['rejected', 'july', 'july.csv'],
  ]);
});

it('names a number that its port does not contain, and counts the rows that require the action, as the import does', async () => {
  const ports = [
    portItemOf({ importId: 'july', actionRequired: 1, concern: 'The port does not contain 447700900102' }),
  ];
  const rows = ['Submitted', notInPort, 'Submitted'].map((status, index) => ({
    line: index + 2,
    msisdn: `44770090010${index + 1}`,
    status,
  }));
  const reader = accountWith({ imports: [], files, ports });
  const rowsOf = async function* ([portId = '']: readonly string[]) {
    yield { portId, rows };
  };
  const { entries } = await readActionList({ ...reader, ports: { ...reader.ports, rowsOf } }, noon);
  expect(entries).toMatchObject([
    { kind: 'port', rows: 1, numbers: [{ line: 3, msisdn: '447700900102', status: notInPort }] },
  ]);
  expect(entries[0]?.whatToDo).toBe('The port does not contain 447700900102');
});

it('names a row of a correction by its line in the first file, as its new PAC does', async () => {
  const reader = accountWith({ imports: [], files, ports: [portItemOf({ importId: 'july', actionRequired: 1 })] });
  const rowsOf = async function* ([portId = '']: readonly string[]) {
    yield { portId, rows: [{ line: 2, firstLine: 7, msisdn: '447700900101', status: 'PacInvalid' }] };
  };
  const { entries } = await readActionList({ ...reader, ports: { ...reader.ports, rowsOf } }, noon);
  expect(entries).toMatchObject([{ numbers: [{ line: 7, msisdn: '447700900101', message: null }] }]);
});
