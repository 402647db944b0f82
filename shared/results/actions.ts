// Everything that requires an action by a person, the most urgent first: the most blocked rows, then the earliest
// deadline to cancel, then the most rows. Imports with declined or rejected rows come last: none of them is sent.
import type * as z from 'zod';
import type { ImportItem } from '#shared/import/import.ts';
import { describeHold, isDismissed, mayBeSent } from '#shared/import/import-state.ts';
import { sendsRows } from '#shared/import/part.ts';
import { adviceForRow } from '#shared/outcome/row-result.ts';
import { type ComparisonItem, describeMismatch } from '#shared/outcome/service-comparison.ts';
import type { PortItem, PortRowState } from '#shared/port/port.ts';
import { blockedRows, portStatus, rowNeedsAction, rowStatus } from '#shared/port/port-status.ts';
import { openRows } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { longestScheduledDays } from '#shared/row/booking-window.ts';
import type { AccountReader } from '#shared/store/account.ts';
import { describePart } from '#shared/text/identity.ts';
import { counted, isoTime } from '#shared/text/wording.ts';
import type { actionEntry, solutions } from './answers.ts';
import { countUncorrectedRows } from './rejected-rows.ts';
import { fileNameOf } from './results.ts';

/** The most items read of each kind. */
const readLimit = 10_000;
/** Declined and rejected rows need not be corrected, so they are listed for a week only, since they could be sent. */
const listImportsForMs = 7 * 86_400_000;
/** How long before that their file was uploaded: rows wait for their day, and plans for an approval. */
const longestWaitMs = longestScheduledDays * 86_400_000;
/** Rejected rows of older imports are not listed. */
const checkedImports = 50;

export interface ActionEntry extends z.infer<typeof actionEntry> {
  /** `IMPORT/REQUEST`; empty for an import and a mismatch. */
  readonly requestId: string;
  /** How to continue; null when only `whatToDo` helps. */
  readonly solution: (typeof solutions)[number] | null;
}

/** With the operation of its import, where that is known. */
export interface ListedAction extends ActionEntry {
  readonly operation: ImportItem['operation'];
}

export interface ActionList {
  readonly entries: readonly ListedAction[];
  /** How many entries exist beside those listed. */
  readonly more: number;
  /** A kind has more items than were read, so `more` is a lower bound. */
  readonly isIncomplete: boolean;
  /** Recent imports with skipped rows and no declined request: usually a file imported twice, no action required. */
  readonly skipped: readonly ImportItem[];
}

/** @param limit the most entries of each kind */
export async function readActionList(reader: AccountReader, now: number, limit = readLimit): Promise<ActionList> {
  const { account } = reader.resources;
  const isOwn = (item: { readonly account: string }): boolean => item.account === account;
  const since = isoTime(now - listImportsForMs);
  const read = await Promise.all([
    reader.ports.actionRequired(readLimit),
    reader.requests.actionRequired(readLimit),
    reader.comparisons.found(readLimit),
    reader.imports.list({ since: isoTime(now - listImportsForMs - longestWaitMs), limit: readLimit }),
  ]);
  const [allPorts, allRequests, allComparisons, ofLongestWait] = read;
  const allImports = ofLongestWait.filter((item) => lastSendingOf(item) >= since);
  const items = await importsById(reader, allImports, [...allPorts, ...allRequests, ...allComparisons]);
  // Nothing can be done about a port or a request of another account: its import is held as a whole.
  const [ports, requests] = [allPorts.filter(isOwn), allRequests.filter(isOwn)];
  const [comparisons, imports] = [allComparisons.filter(isOwn), allImports.filter(isOwn)];
  const urgentPorts = ports
    .toSorted((one, other) => other.readyRows - one.readyRows || earlierOf(one.cancelBy, other.cancelBy))
    .slice(0, limit);
  const isInRoot = createRootCheck(imports);
  const declined = readDeclined(imports, isInRoot);
  const others = [
    [...items.values()].flatMap((item) => heldEntry(item, account) ?? []),
    requests.map(requestEntry),
    comparisons.map(mismatchEntry),
    declined.filter(isOpen).map(declinedEntry),
    await rejectedEntries(
      reader,
      // A port whose new PAC was invalid is in the list itself.
      imports.filter((item) => hasRejectedRows(item) && !isInRoot(item) && item.partOf?.kind !== 'pacs'),
    ),
  ];
  const entries = await portEntries(reader.ports, urgentPorts);
  entries.push(...others.flatMap((ofKind) => ofKind.slice(0, limit)));
  entries.sort(
    (one, other) =>
      Number(isNotSent(one)) - Number(isNotSent(other)) ||
      other.blockedRows - one.blockedRows ||
      earlierOf(one.cancelBy, other.cancelBy) ||
      other.rows - one.rows,
  );
  const found = others.reduce((sum, { length }) => sum + length, ports.length);
  return {
    entries: entries.map((entry) => {
      const item = items.get(entry.importId);
      return { ...entry, file: item === undefined ? null : fileNameOf(item.key), operation: item?.operation ?? null };
    }),
    more: found - entries.length,
    isIncomplete: read.some(({ length }) => length >= readLimit),
    skipped: imports.filter((item) => item.skippedRows > 0 && !declined.some((one) => one.item === item)),
  };
}

/** When rows of the import could be sent last. */
const lastSendingOf = ({ receivedAt, approvedAt = receivedAt, sendOn }: ImportItem): string =>
  sendOn !== undefined && sendOn > approvedAt ? `${sendOn}T23:59:59.999Z` : approvedAt;

/** Reads the newest imports, and the older ones to which one of these items belongs. */
async function importsById(
  { imports }: AccountReader,
  listed: readonly ImportItem[],
  others: readonly { readonly importId: string }[],
): Promise<ReadonlyMap<string, ImportItem>> {
  const found = new Map(listed.map((item) => [item.importId, item]));
  const older = new Set(others.map(({ importId }) => importId).filter((importId) => !found.has(importId)));
  for (const item of await Promise.all([...older].map((importId) => imports.get(importId)))) {
    if (item !== undefined) found.set(item.importId, item);
  }
  return found;
}

const isNotSent = ({ kind }: ActionEntry): boolean => kind === 'import' || kind === 'rejected';

async function portEntries(store: AccountReader['ports'], ports: readonly PortItem[]): Promise<ActionEntry[]> {
  const rows = new Map<string, readonly PortRowState[]>();
  for await (const read of store.rowsOf(ports.map(({ portId }) => portId))) rows.set(read.portId, read.rows);
  return ports.map((port) => portEntry(port, rows.get(port.portId) ?? []));
}

/** A port that can no longer be cancelled, or never could, comes last. */
const earlierOf = (one?: string | null, other?: string | null): number => timeOf(one) - timeOf(other);
const timeOf = (text: string | null | undefined): number => (text == null ? Number.MAX_SAFE_INTEGER : Date.parse(text));

function portEntry(port: PortItem, rows: readonly PortRowState[]): ActionEntry {
  const { blocked, summary } = blockedRows(rows.map(({ msisdn, status }) => ({ msisdn, statusName: status })));
  const problems = rows.filter(({ status }) => rowNeedsAction(status));
  const rowAdvice = [...new Set(problems.map(({ status }) => adviceForRow(status)))].join('; ');
  return {
    kind: 'port',
    id: port.portId,
    importId: port.importId,
    file: null,
    status: port.status,
    // Where no row has a problem, the whole port has one, as in Error.
    rows: (problems.length > 0 ? problems : rows.filter(({ status }) => !rowStatus(status).terminal)).length,
    blockedRows: blocked.length,
    summary,
    cancelBy: port.cancelBy ?? null,
    numbers: problems.map(({ line, firstLine = line, msisdn, status, message = null }) => ({
      line: firstLine,
      msisdn,
      status,
      message,
    })),
    whatToDo: port.concern ?? (rowAdvice || portStatus(port.status).advice || 'Check the port in the portal'),
    requestId: `${port.importId}/${port.request}`,
    solution: solutionFor(port, problems),
  };
}

function solutionFor({ duplicatePortIds }: PortItem, problems: readonly PortRowState[]): ActionEntry['solution'] {
  if (duplicatePortIds !== undefined) return 'keep-one-port';
  return problems.some(({ status }) => rowStatus(status).amend === 'allowed') ? 'enter-pacs' : null;
}

/** Defaults of the members that most entries do not have. */
const noDetails = {
  file: null,
  rows: 0,
  blockedRows: 0,
  summary: '',
  cancelBy: null,
  numbers: [],
  requestId: '',
};

const mismatchEntry = ({ importId, portId, sims }: ComparisonItem): ActionEntry => ({
  ...noDetails,
  kind: 'mismatch',
  id: portId,
  importId,
  status: 'Complete',
  whatToDo: 'SIMs have other services than requested: set them with bar-service-config',
  solution: 'set-services',
  rows: sims.length,
  numbers: sims.map((sim) => ({
    line: sim.line,
    msisdn: sim.msisdn,
    status: 'Complete',
    message: sim.msisdn === '' ? `SIM ${sim.serialNumber}: ${describeMismatch(sim)}` : describeMismatch(sim),
  })),
});

/** undefined: it is of this account, or its work is over. */
function heldEntry(item: ImportItem, account: string): ActionEntry | undefined {
  const { importId, accepted: rows } = item;
  const whatToDo = describeHold(item, account);
  if (whatToDo === undefined) return undefined;
  return { ...noDetails, kind: 'held', id: importId, importId, status: 'held', whatToDo, solution: null, rows };
}

interface DeclinedImport {
  readonly item: ImportItem;
  /** Without those that a correction has sent; undefined before results.csv is written. */
  readonly rows: number | undefined;
}

const isOpen = ({ item, rows }: DeclinedImport): boolean => rows !== 0 && !isDismissed(item, 'declined');

/** Whether the rows of an import count in those of its first import. */
type RootCheck = (item: ImportItem) => boolean;

function createRootCheck(imports: readonly ImportItem[]): RootCheck {
  const listed = new Set(imports.map(({ importId }) => importId));
  return ({ partOf }) => partOf !== undefined && sendsRows(partOf.kind) && listed.has(partOf.importId);
}

/** The service declined a whole request, or some of its rows. */
function readDeclined(imports: readonly ImportItem[], isInRoot: RootCheck): DeclinedImport[] {
  const found: DeclinedImport[] = [];
  for (const item of imports) {
    const { requests, outcomes } = item;
    if ((requests.declined ?? 0) === 0 && (outcomes?.declined ?? 0) === 0) continue;
    found.push({ item, rows: isInRoot(item) ? 0 : outcomes?.declined });
  }
  return found;
}

function declinedEntry({ item, rows }: DeclinedImport): ActionEntry {
  const { importId, requests, skippedRows } = item;
  const facts = { kind: 'import', id: importId, importId, status: 'declined' } as const;
  if (rows !== undefined) {
    const summary = `${counted(rows, 'row')} declined`;
    const whatToDo = `${summary}: fix the rows and import them again`;
    return { ...noDetails, ...facts, solution: 'fix-declined', whatToDo, rows, summary };
  }
  const skipped = skippedRows > 0 ? `, ${counted(skippedRows, 'row')} skipped` : '';
  const summary = `${counted(requests.declined ?? 0, 'request')} declined${skipped}`;
  const whatToDo = `${summary}: those rows are not sent; the results contain the reason for each row`;
  return { ...noDetails, ...facts, solution: 'read-results', whatToDo, summary };
}

const requestEntry = (item: RequestItem): ActionEntry => ({
  ...noDetails,
  kind: 'request',
  id: `${item.importId}/${item.request}`,
  importId: item.importId,
  status: 'action-required',
  whatToDo: `Outcome unknown (${item.error?.message ?? 'no answer'}): search for ${item.token} in the portal, then resolve it${describePart(item.request)}`,
  solution: 'resolve',
  requestId: `${item.importId}/${item.request}`,
  rows: openRows(item),
  blockedRows: openRows(item),
});

/** The rejected rows of these imports, unless they were corrected. */
async function rejectedEntries(reader: AccountReader, imports: readonly ImportItem[]): Promise<ActionEntry[]> {
  const entries: ActionEntry[] = [];
  for (const item of imports.slice(0, checkedImports)) {
    const { importId } = item;
    const rows = await countUncorrectedRows(reader, item);
    if (rows === 0) continue;
    const summary = `${counted(rows, 'row')} rejected`;
    const facts = { kind: 'rejected', id: importId, importId, status: 'rejected', solution: 'fix-rows' } as const;
    entries.push({
      ...noDetails,
      ...facts,
      whatToDo: 'Fix the rejected rows and import them again',
      rows,
      summary,
    });
  }
  return entries;
}

const hasRejectedRows = (item: ImportItem): boolean =>
  item.rejected > 0 &&
  item.state !== 'planning' &&
  item.state !== 'rejected' &&
  mayBeSent(item) &&
  !isDismissed(item, 'rejected');
