// Keeps an import's own item, its results.csv and its correction files in step with its requests. Whatever was told, it looks at all of them:
// so the order of messages, their number and their repetition make no difference.
import type { Drifts } from '#shared/aws/drifts.ts';
import type { Files } from '#shared/aws/files.ts';
import type { Imports } from '#shared/aws/imports.ts';
import type { Ports } from '#shared/aws/ports.ts';
import type { Requests } from '#shared/aws/requests.ts';
import type { DriftItem } from '#shared/domain/drift.ts';
import type { ImportItem, RequestItem, Tally } from '#shared/domain/ledger.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import { rollUp } from '#shared/domain/roll-up.ts';
import type { Operation } from '#shared/operations/operation.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import { correctionKey, correctionKinds, createCorrectionWriter } from './corrections.ts';
import { driftCsv, driftKey } from './drift-file.ts';
import { OutOfTime, reserveMs } from './out-of-time.ts';
import { type Bystander, writeResults } from './results.ts';

export interface ReportParts {
  readonly imports: Pick<Imports, 'get' | 'rollUp' | 'update'>;
  readonly requests: Pick<Requests, 'ofImport'>;
  readonly ports: Pick<Ports, 'rowsOf'>;
  readonly drifts: Pick<Drifts, 'ofImport'>;
  readonly files: Pick<Files, 'head' | 'read' | 'open'>;
  readonly operationNamed: (name: OperationName) => Operation | undefined;
  readonly resultsBucket: string;
  /** Wall time. */
  readonly wall: Clock;
  /** Milliseconds this invocation may still take. */
  readonly remainingMs: () => number;
  readonly log: Log;
}

/** Whether the import may be looked at now, or rests. */
export type MayLook = (item: ImportItem) => Promise<boolean>;
const always: MayLook = async () => true;

export const resultsKey = (importId: string): string => `imports/${importId}/results.csv`;

/** Up to so many rows results.csv follows every change; a larger one is written when something is decided. */
const smallImport = 10_000;

/**
 * Rolls the import up and writes results.csv where that says something new. Answers the import as it stands then.
 * @throws OutOfTime, and what the table and the buckets throw; then its files are as they were
 */
export async function report(
  importId: string,
  parts: ReportParts,
  mayLook: MayLook = always,
): Promise<ImportItem | undefined> {
  const first = await parts.imports.get(importId);
  // What has not been released has no requests to read.
  if (first !== undefined && !isUnreleased(first) && !(await mayLook(first))) return first;
  let item = first;
  for (;;) {
    const after = item === undefined || isUnreleased(item) ? item : await rolledUp(item, parts);
    if (after === undefined || after.state === 'planning' || after.reported === gistOf(after)) return after;
    const corrections = await writeFiles(after, parts);
    const marked = await parts.imports.update(importId, { reported: gistOf(after), corrections });
    // Another run may have rolled up something newer while this one wrote: then its file may lie under ours.
    if (marked === undefined || marked.ledgerRevision === after.ledgerRevision) return marked;
    item = marked;
  }
}

async function* inTime({ importId }: ImportItem, parts: ReportParts): AsyncIterable<RequestItem> {
  for await (const request of parts.requests.ofImport(importId)) {
    stopWhenShort(importId, parts);
    yield request;
  }
}

/** Looks at the clock after every batch of lines. */
const watch = (importId: string, parts: ReportParts): Bystander => ({
  begin: async () => {},
  see: async () => stopWhenShort(importId, parts),
});

function stopWhenShort(importId: string, { remainingMs }: ReportParts): void {
  if (remainingMs() < reserveMs) throw new OutOfTime(`time ran out while import ${importId} was reported on`);
}

const isUnreleased = ({ state }: ImportItem): boolean =>
  state === 'planning' || state === 'planned' || state === 'refused';

/** What must change for results.csv to be written again. It is compared with what was noted after the last writing. */
function gistOf(item: ImportItem): string {
  const { state, rows, attention, withdrawnRows, freedPorts = 0, requests, ports, drift } = item;
  const decided = withdrawnRows + (requests.refused ?? 0) + (requests.withdrawn ?? 0);
  const tallies = rows <= smallImport ? [inOrder(requests), inOrder(ports)] : [];
  const drifted = drift === undefined ? [] : [drift.sims, drift.revision];
  return JSON.stringify([state, attention, state === 'submitting' ? 0 : decided, freedPorts, ...drifted, ...tallies]);
}

const inOrder = (tally: Tally): [string, number][] =>
  Object.entries(tally).sort(([left], [right]) => (left < right ? -1 : 1));

async function rolledUp(item: ImportItem, parts: ReportParts): Promise<ImportItem | undefined> {
  const { importId, requestCount } = item;
  const { ledgerRevision, ...sum } = await rollUp(inTime(item, parts), requestCount);
  const drift = await sumDrift(parts.drifts.ofImport(importId));
  const isNews = ledgerRevision !== item.ledgerRevision || drift?.revision !== item.drift?.revision;
  const changedAt = isNews ? new Date(parts.wall()).toISOString() : item.changedAt;
  return parts.imports.rollUp(importId, { ...sum, drift, changedAt }, ledgerRevision);
}

/** Only what was found, now or before, moves the sum: a comparison without a finding is no news. */
async function sumDrift(items: AsyncIterable<DriftItem>): Promise<ImportItem['drift']> {
  const sum = { sims: 0, revision: 0 };
  for await (const { sims, everFound, revision } of items) {
    sum.sims += sims.length;
    if (everFound) sum.revision += revision;
  }
  return sum.revision === 0 ? undefined : sum;
}

/** Answers how many rows each correction file has; undefined when the file has expired, and nothing was written. */
async function writeFiles(item: ImportItem, parts: ReportParts): Promise<Tally | undefined> {
  const { files, ports, resultsBucket, operationNamed, log } = parts;
  const { importId } = item;
  const operation = item.operation === null ? undefined : operationNamed(item.operation);
  const open = (key: string) => files.open(resultsBucket, key, 'text/csv; charset=utf-8');
  const results = open(resultsKey(importId));
  const corrections = correctionKinds.map((kind) => {
    const file = open(correctionKey(importId, kind));
    return { kind, file, writer: createCorrectionWriter(kind, file) };
  });
  try {
    const drifts = parts.drifts.ofImport(importId);
    const sources = { importItem: item, columns: operation?.columns ?? [], files, resultsBucket, ports, drifts };
    const bystanders = [watch(importId, parts), ...corrections.map(({ writer }) => writer)];
    const lines = await writeResults({ ...sources, requests: inTime(item, parts) }, results, bystanders);
    await results.close();
    for (const { kind, file, writer } of corrections) {
      // A file that has been there is overwritten when nothing is left to correct: its rows must not be sent again.
      const wanted = writer.rows > 0 || (item.corrections?.[kind] ?? 0) > 0;
      await (wanted ? file.close() : file.abort());
    }
    await writeDrift(item, parts);
    const rows = Object.fromEntries(corrections.map(({ kind, writer }) => [kind, writer.rows]));
    log.info('results written', { importId, state: item.state, lines, corrections: rows });
    return rows;
  } catch (error) {
    await Promise.all([results, ...corrections.map(({ file }) => file)].map((file) => file.abort()));
    // The file expires before the longest port has ended: what was written last stays.
    if (!isGone(error)) throw error;
    log.warn('the file has expired; results.csv stays as it is', { importId });
    return undefined;
  }
}

/** Once there was something, the file stays and says what there is now, be it nothing: no setting is sent twice. */
async function writeDrift(
  { importId, drift }: ImportItem,
  { files, drifts, resultsBucket }: ReportParts,
): Promise<void> {
  if (drift === undefined) return;
  const file = files.open(resultsBucket, driftKey(importId), 'text/csv; charset=utf-8');
  try {
    for await (const text of driftCsv(drifts.ofImport(importId))) await file.write(text);
    await file.close();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

const isGone = (error: unknown): boolean => error instanceof Error && error.name === 'ObjectGone';
