// Every surface that shows a row or counts rows gives the same answer, whatever happened to the requests.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeFiles } from '#functions/report/write-files.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { countPortRows } from '#shared/outcome/row-result.ts';
import { rollUp } from '#shared/outcome/rows-of-requests.ts';
import { type ComparisonItem, comparisonOfSims, withReadings } from '#shared/outcome/service-comparison.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import type { PortRowState } from '#shared/port/port.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { packLines, partsOf, unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { stoppedError } from '#shared/request/request-state.ts';
import { readCancellableRows, readNumberDetails } from '#shared/results/numbers.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { type ReadRow, readRowPage } from '#shared/results/row-page.ts';
import { emptyAccount } from '../../support/cli/account.ts';
import { double } from '../../support/double.ts';
import { memoryFiles } from '../../support/in-memory/files.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const numberOf = (line: number): string => `447700${String(900_000 + line)}`;

/** A request and its port, over the lines that it is given. */
interface Made {
  readonly request: RequestItem;
  /** The others in which its rows are sent again. */
  readonly parts?: readonly RequestItem[];
  readonly rows?: readonly PortRowState[];
  /** The first SIM of a port has other services; those of accepted settings are read back. */
  readonly comparisons?: readonly ComparisonItem[];
}
type Make = (request: number, lines: readonly number[]) => Made;

const error = { kind: 'rejected', message: 'no such account' };
const excluded = (line: number, code: 'ROW_REFUSED' | 'MSISDN_IN_LIVE_IMPORT') => ({
  line,
  subject: numberOf(line),
  code,
  message: `line ${line} was left out`,
});
const base = (request: number, lines: readonly number[], changes: Partial<RequestItem>): RequestItem =>
  requestItemOf({ request, rowCount: lines.length, lines: packLines(lines), submittedAt: iso(noon), ...changes });

const atOnce = fc.constantFrom<Partial<RequestItem>>(
  { state: 'planned' },
  { state: 'planned', error: stoppedError },
  { state: 'scheduled', sendOn: '2026-07-20' },
  { state: 'in-flight' },
  { state: 'unknown', error },
  { state: 'action-required', error },
  { state: 'declined', error, endedAt: iso(noon) },
  { state: 'skipped', error: stoppedError, endedAt: iso(noon) },
);

const withoutPort: fc.Arbitrary<Make> = fc
  .record({
    change: atOnce,
    named: fc.boolean(),
    left: fc.array(fc.constantFrom('ROW_REFUSED', 'MSISDN_IN_LIVE_IMPORT' as const), { maxLength: 2 }),
  })
  .map(({ change, named, left }) => (request, lines) => {
    const excludedRows = left.slice(0, lines.length - 1).map((code, index) => excluded(lines[index] ?? 0, code));
    const sent = lines.slice(excludedRows.length);
    const lost = named && change.state === 'declined' ? { error: { ...error, lines: sent.slice(0, 1) } } : {};
    return { request: base(request, lines, { ...change, ...lost, excludedRows, lines: packLines(sent) }) };
  });

const rowStatus = fc.constantFrom(
  'Submitted',
  'PacValid',
  'PacInvalid',
  'Amended',
  'Cancelled',
  'CancellationRequested',
  'Not In Port',
);
const portStatusName = fc.constantFrom(
  'Created',
  'Pac Check Failed',
  'Submitted',
  'Locked',
  'Complete',
  'Cancelled',
  'Error',
);

const withPort: fc.Arbitrary<Make> = fc
  .record({
    portStatus: portStatusName,
    statuses: fc.array(rowStatus, { minLength: 6, maxLength: 6 }),
    message: fc.constantFrom(undefined, 'the account is barred'),
    left: fc.nat(2),
    isRead: fc.boolean(),
    removed: fc.nat(2),
    code: fc.constantFrom('ROW_REFUSED' as const, 'MSISDN_IN_LIVE_IMPORT' as const),
  })
  .map(({ portStatus, statuses, message, left, isRead, removed, code }) => (request, lines) => {
    const excludedRows = lines.slice(0, Math.min(left, lines.length - 1)).map((line) => excluded(line, code));
    const sent = lines.slice(excludedRows.length);
    const rows = sent.map((line, index) => ({
      line,
      msisdn: numberOf(line),
      status: statuses[index] ?? '',
      ...(index === 0 && message && { message }),
    }));
    const port = { portId: `port-${request}`, ...(isRead && { portStatus }) };
    const ended = isRead && ['Complete', 'Cancelled'].includes(portStatus) ? { endedAt: iso(noon) } : {};
    const removedRows = removed === 0 ? undefined : packLines(sent.slice(0, removed));
    const item = base(request, lines, {
      state: 'created',
      ...port,
      ...ended,
      removedRows,
      lines: packLines(sent),
      excludedRows,
    });
    const comparisons = portStatus === 'Complete' ? [comparisonOf(item, rows.slice(0, 1))] : [];
    const read = { ...item, portRows: countPortRows(item, rows) };
    return isRead ? { request: read, rows, comparisons } : { request: item };
  });

const shown = ['waiting', 'differing', 'unread', 'equal'] as const;
type Shown = (typeof shown)[number];

const accepted: fc.Arbitrary<Make> = fc
  .record({
    sims: fc.option(fc.array(fc.constantFrom(...shown), { minLength: 6, maxLength: 6 })),
    parts: fc.nat(2),
  })
  .map(({ sims, parts }) => (request, lines) => {
    const done = base(request, lines, { state: 'accepted', ticket: 't', endedAt: iso(noon) });
    if (parts > 0 && lines.length >= 3) return divided(done, lines, parts === 1 ? 'planned' : 'declined', sims);
    if (sims === null) return { request: done };
    const { request: open, comparison } = readBack(done, sims);
    return { request: open, comparisons: [comparison] };
  });

/** As sync writes both after it has read the SIMs. */
function readBack(done: RequestItem, sims: readonly Shown[]) {
  const lines = unpackLines(done.lines ?? '');
  const request = { ...done, endedAt: undefined, simRows: { 'in-progress': lines.length } };
  const begun = comparisonOfSims(request);
  if (begun === undefined) throw new Error('its SIMs are read back');
  const linesWith = (name: Shown) => lines.filter((_, index) => sims[index] === name);
  const differing = linesWith('differing').map((line) => ({ line, msisdn: '' }));
  const comparison = {
    ...begun,
    waiting: packLines(linesWith('waiting')),
    unread: packLines(linesWith('unread')),
    sims: comparisonOf(request, differing).sims,
  };
  return { request: withReadings(request, begun, comparison, { wall: noon, calendar: noon }), comparison };
}

/** A request of which one row was named. Of the others one is accepted, and the rest are another part. */
function divided(
  whole: RequestItem,
  lines: readonly number[],
  state: 'planned' | 'declined',
  sims: readonly Shown[] | null,
): Made {
  const [first = 0, second = 0, ...others] = lines;
  const excludedRows = [excluded(first, 'ROW_REFUSED')];
  const packed = { lines: '', parts: [packLines([second]), packLines(others)] };
  const request: RequestItem = { ...whole, ...packed, ticket: undefined, excludedRows, state: 'declined', error };
  const [one, other] = partsOf(request);
  if (one === undefined || other === undefined) throw new Error('a divided request has parts');
  const done: RequestItem = { ...one, state: 'accepted', ticket: 't1', submittedAt: iso(noon), endedAt: iso(noon) };
  const read = sims === null ? { request: done } : readBack(done, sims);
  const parts: RequestItem[] = [
    read.request,
    { ...other, state, submittedAt: iso(noon), ...(state === 'declined' && { error, attempt: 1, endedAt: iso(noon) }) },
  ];
  return { request, parts, comparisons: 'comparison' in read ? [read.comparison] : [] };
}

const comparisonOf = (
  { importId, request, portId = '' }: RequestItem,
  differing: readonly Pick<PortRowState, 'line' | 'msisdn'>[],
): ComparisonItem => ({
  importId,
  request,
  portId,
  account: '1001@service',
  expiresAt: 1_850_000_000,
  state: 'found',
  compared: 1,
  sims: differing.map(({ line, msisdn }) => ({
    line,
    msisdn,
    serialNumber: '8944',
    services: [{ name: 'VOICEMAIL', type: 'Bar', requested: 'true', actual: 'false' }],
  })),
  everFound: true,
  rounds: 1,
  changedAt: iso(noon),
  revision: 1,
});

const requests = fc.array(fc.tuple(fc.oneof(withoutPort, withPort, accepted), fc.integer({ min: 1, max: 6 })), {
  minLength: 1,
  maxLength: 5,
});

function build(makes: readonly (readonly [Make, number])[], changes: Partial<ImportItem>) {
  let line = 1;
  const made = makes.map(([make, size], index) =>
    make(
      index + 1,
      Array.from({ length: size }, () => ++line),
    ),
  );
  const all = made.flatMap(({ request, parts = [] }) => [request, ...parts]);
  const rowsOf = new Map(
    made.flatMap(({ request, rows }) => (request.portId && rows ? [[request.portId, rows] as const] : [])),
  );
  const requestAt = (at: number) =>
    all.find((request) => linesOf(request, rowsOf.get(request.portId ?? '') ?? []).includes(at)) as RequestItem;
  const claims = (number: string): NumberItem => {
    const at = Number(number.slice(-6)) - 900_000;
    return {
      number,
      importId: 'import-a',
      request: requestAt(at).request,
      line: at,
      claimedAt: iso(noon),
      expiresAt: 1_850_000_000,
    };
  };
  const comparisons = new Map(
    made.flatMap(({ comparisons = [] }) => comparisons.map((comparison) => [comparison.request, comparison] as const)),
  );
  const files = memoryFiles();
  const etag = files.put(
    'inbox',
    'create-port/numbers.csv',
    `msisdn\n${Array.from({ length: line - 1 }, (_, at) => `${numberOf(at + 2)}\n`).join('')}`,
  );
  const item = importItemOf('import-a', {
    etag,
    state: 'in-progress',
    rows: line - 1,
    accepted: line - 1,
    requestCount: made.length,
    ...changes,
  });
  const sources = {
    ...emptyAccount,
    files,
    imports: { ...emptyAccount.imports, get: async () => item },
    requests: {
      ...emptyAccount.requests,
      get: async (_: string, number: number) => all.find(({ request }) => request === number),
      ofImport: async function* () {
        yield* all;
      },
    },
    numbers: { ...emptyAccount.numbers, get: async (number: string) => claims(number) },
    comparisons: {
      ...emptyAccount.comparisons,
      get: async (_: string, request: number) => comparisons.get(request),
      ofImport: async function* () {
        yield* comparisons.values();
      },
    },
    ports: {
      ...emptyAccount.ports,
      get: async (portId: string) => (rowsOf.has(portId) ? portItemOf({ portId }) : undefined),
      rows: async (portId: string) => rowsOf.get(portId)?.slice(),
      itemsOf: async function* (ids: readonly string[]) {
        for (const portId of ids) if (rowsOf.has(portId)) yield portItemOf({ portId });
      },
      rowsOf: async function* (ids: readonly string[]) {
        for (const portId of ids) if (rowsOf.has(portId)) yield { portId, rows: [...(rowsOf.get(portId) ?? [])] };
      },
    },
  };
  return { item, sources, files, lastLine: line };
}

const linesOf = (item: RequestItem, rows: readonly PortRowState[]): number[] => {
  const sent = unpackLines(item.lines ?? '');
  return [...sent, ...rows.map((row) => row.line), ...(item.excludedRows ?? []).map((row) => row.line)];
};

type Account = ReturnType<typeof build>;

const isLeftOut = ({ message, outcome }: ReadRow): boolean => message.endsWith('left out') && outcome === 'skipped';

function countOf(rows: readonly ReadRow[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { outcome } of rows) counted[outcome] = (counted[outcome] ?? 0) + 1;
  return counted;
}

async function checkCounts(
  { item, sources, written }: Account & { readonly written: object },
  rows: readonly ReadRow[],
) {
  const counted = countOf(rows);
  expect(written).toEqual(counted);
  const { requested, skippedRows } = await rollUp(sources.requests.ofImport(), item.requestCount);
  expect(Object.fromEntries(requested.outcomes)).toEqual(counted);
  expect(skippedRows).toBe(counted.skipped ?? 0);
  expect((await readImportProgress(sources, item)).outcomes).toEqual(counted);
}

async function checkNumber({ sources }: Account, row: ReadRow) {
  const { line, outcome, status, message, whatToDo, portId } = row;
  const details = await readNumberDetails(sources, numberOf(line));
  const shown = { outcome, status: status || null, message: message || null, whatToDo: whatToDo || null };
  expect(details).toMatchObject({ line, ...shown });
  if (!portId.startsWith('port-')) expect(details?.portId).toBeNull();
}

async function checkCancellation({ sources, item }: Account, rows: readonly ReadRow[]) {
  const cancellable = rows.filter(({ outcome }) => outcome === 'in-progress' || outcome === 'action-required');
  const lines = new Set(cancellable.map(({ line }) => line));
  for (const { line } of (await readCancellableRows(sources, item)).rows) expect(lines).toContain(line);
}

/** Of an import that goes on, or that a person has stopped while some requests were under way. */
const stops = fc.constantFrom<Partial<ImportItem>>(
  {},
  { stop: { kind: 'until-resumed', at: iso(noon), by: 'anna' } },
  { state: 'stopped', stop: { kind: 'until-resumed', at: iso(noon), by: 'anna' } },
);

test('results.csv, the rows of the API, the search for a number and all counts agree on every row', async () => {
  await fc.assert(
    fc.asyncProperty(requests, stops, async (makes, changes) => {
      const account = build(makes, changes);
      const { item, sources, files, lastLine } = account;
      const parts = double<Pipeline>({ ...sources, log: silentLog, files });
      const { outcomes: written = {}, corrections } = (await writeFiles(item, [], () => undefined, parts)) ?? {};
      const { rows = [] } = (await readRowPage(sources, item, { limit: 100 })) ?? {};
      expect(rows.length).toBe(lastLine - 1);
      await checkCounts({ ...account, written }, rows);
      for (const kind of ['create-port', 'update-port'])
        expect(rows.filter(({ correctedBy }) => correctedBy === kind).length).toBe(corrections?.[kind]);
      // Another import has the claim of a number that was left out.
      for (const row of rows.filter((row) => !isLeftOut(row))) await checkNumber(account, row);
      await checkCancellation(account, rows);
    }),
    { numRuns: 150 },
  );
});
