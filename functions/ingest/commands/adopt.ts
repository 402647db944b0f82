// Follows a port that was made elsewhere, such as in the portal, as an import with one request that has this port from
// the beginning. No call is made for it. Its file is written from the rows of the port, so that results, corrections
// and reports read it like an upload (docs/decisions/0055).

import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import { type ActorOptions, requestedByOf } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { expiryOf, firstNotification } from '#shared/import/import-state.ts';
import { type AdoptedPort, readAdoptedPort } from '#shared/operations/create-port/adopted-port.ts';
import { recordObservation, withRows } from '#shared/pipeline/observe-port.ts';
import { mayBePortId } from '#shared/port/port.ts';
import { portStatus, rowStatus } from '#shared/port/port-status.ts';
import type { AdoptMessage } from '#shared/request/messages.ts';
import { describePrediction, type NumberItem, portedNumberOf, predictNumber } from '#shared/request/number-claim.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { error, type Finding } from '#shared/row/issue.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import { redactName, redactText } from '#shared/row/redact.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import { isDecline } from '#shared/service/errors.ts';
import { importFileKey, planKey } from '#shared/store/object-keys.ts';
import { adoptionId, isSameRequest, requestToken, tokenOfPortName } from '#shared/text/identity.ts';
import { count, isoTime, oneLine, truncate } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import { newImport } from '../new-import.ts';
import { rejectImport } from '../plan/reject-import.ts';

/**
 * Returns the import. If the port cannot be adopted, the import is rejected with the reason, and adopting the port
 * again checks it again. Safe to repeat.
 * @throws what the table, the bucket and the service throw: repeat the message
 */
export async function adopt(
  message: AdoptMessage & ActorOptions,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, openCatalogue, settings, clocks } = pipeline;
  if (!mayBePortId(message.adopt)) {
    pipeline.log.warn('a command to adopt a port contains no id of a port');
    return undefined;
  }
  const item = await begin(message, pipeline);
  const { importId } = item;
  if (item.state !== 'planning') return imports.get(importId);
  const catalogue = openCatalogue();
  // What the port has is written as the service names it now.
  catalogue.renew();
  const context = { ...settings, readAt: clocks.calendar() };
  const port = await catalogue.port(message.adopt, 'fresh').catch((failure: unknown) => {
    if (isDecline(failure)) return undefined;
    throw failure;
  });
  const problem =
    port === undefined
      ? notAdoptable(`the account has no port ${message.adopt}: copy the id from the list of ports`)
      : await findProblem(port, importId, pipeline);
  if (port === undefined || problem !== undefined) {
    const issues = problem === undefined ? [] : [{ line: 0, column: null, ...problem }];
    return rejectImport({ importId }, 'planning', { issues }, pipeline);
  }
  // It had rows when an earlier attempt wrote its file.
  const adopted = await readAdoptedPort(withRows(port.id, port), catalogue, settings.callingCode);
  const file = await writeFile(importId, port, adopted, pipeline);
  const request = await writeRequest(item, port, adopted, pipeline);
  await claimNumbers(request, port, adopted, pipeline);
  const rows = adopted.rows.map(({ line, subject }) => ({ line, msisdn: subject, status: '' }));
  const known = { request, port: await pipeline.ports.get(port.id), rows };
  const recorded = await recordObservation(known, { detail: port, context }, pipeline);
  if (recorded === 'conflict') throw new Error(`port ${port.id} changed while it was adopted`);
  // Set before the import is in progress: from then on report may miss a change of it.
  await pipeline.notifications.set(importId, firstNotification(clocks.wall()));
  const counts = { rows: rows.length, accepted: rows.length, requestCount: 1, requests: { created: 1 } };
  const changes = { ...file, ...counts, state: 'in-progress', changedAt: isoTime(clocks.wall()) } as const;
  return (await imports.update(importId, changes, ['planning'])) ?? imports.get(importId);
}

/** The rows of a port are one item of the table, which has at most 400 KB. */
const mostNumbers = 4_000;

const notAdoptable = (message: string): Finding => error('PORT_NOT_ADOPTABLE', message);

async function begin(message: AdoptMessage & ActorOptions, pipeline: IngestPipeline): Promise<ImportItem> {
  const { imports, settings, resources, clocks } = pipeline;
  const { adopt: portId, ...asking } = message;
  const importId = adoptionId(settings.account, portId);
  const requestedBy = requestedByOf(asking);
  const origin = {
    ...({
      importId,
      account: settings.account,
      operation: 'create-port',
      adoptedPort: portId,
      requestedBy,
      planOnly: false,
    } as const),
    bucket: resources.resultsBucket,
    key: importFileKey(importId, `port ${portId}.csv`),
    etag: '',
    bytes: 0,
    // Only the owner of the port removes rows from it.
    onInvalidPac: 'wait' as const,
    expiresAt: expiryOf(pipeline.clocks.wall(), pipeline.settings.recordRetentionDays),
  };
  const { item } = await imports.begin(newImport(origin, isoTime(clocks.wall())));
  if (item.state !== 'rejected') return item;
  const again = { state: 'planning' as const, issues: [], requestedBy, changedAt: isoTime(clocks.wall()) };
  return (await imports.update(importId, again, ['rejected'])) ?? item;
}

async function findProblem(
  { id, name, statusName, rows }: PortDetail,
  importId: string,
  pipeline: IngestPipeline,
): Promise<Finding | undefined> {
  const { ports, numbers, requests, settings } = pipeline;
  // An earlier attempt found none, and has written the request: the port is followed to its end, whatever it is now.
  if ((await requests.get(importId, 1)) !== undefined) return undefined;
  const followed = await ports.get(id);
  if (followed !== undefined && followed.importId !== importId)
    return notAdoptable(`port ${id} is already followed, by import ${followed.importId}`);
  const token = tokenOfPortName(name);
  if (token !== undefined)
    return notAdoptable(`simporter created port ${id}, for the request ${token} of this stack or of another one`);
  if (portStatus(statusName).terminal) return notAdoptable(`port ${id} has ended, as ${statusName}`);
  if (rows.length > mostNumbers) {
    const size = `port ${id} has ${count(rows.length)} numbers, and one with more than ${count(mostNumbers)} is not followed`;
    return notAdoptable(`${size}: look at it in the portal`);
  }
  if (rows.length === 0) return notAdoptable(`port ${id} has no numbers`);
  const live = rows.filter((row) => !rowStatus(row.statusName).terminal);
  for (const claim of await numbers.getMany(live.map(({ msisdn }) => msisdnKey(msisdn, settings.callingCode)))) {
    const held = await findHolder(claim, importId, pipeline);
    if (held !== undefined) return notAdoptable(describePrediction(claim.number, held).message);
  }
  return undefined;
}

/** Another request that is in progress with the number. */
async function findHolder(claim: NumberItem, importId: string, { requests }: IngestPipeline) {
  if (claim.importId === importId) return undefined;
  const prediction = predictNumber(claim, await requests.get(claim.importId, claim.request));
  return prediction?.kind === 'in-progress' ? prediction : undefined;
}

const longestFileName = 100;

/** Without PACs, and so in the results bucket. Returns how it is read. */
async function writeFile(
  importId: string,
  { name, id }: PortDetail,
  { header, records }: AdoptedPort,
  { files, resources }: IngestPipeline,
) {
  const bucket = resources.resultsBucket;
  const title = truncate(oneLine(name.replaceAll(/[\\/]/g, ' ')), longestFileName) || id;
  const key = importFileKey(importId, redactName(`port ${title}.csv`));
  const file = files.open(bucket, key, 'text/csv; charset=utf-8');
  await file.write(csvHeader(header, ',') + records.map((cells) => csvRow(cells)).join(''));
  await file.close();
  const written = await files.head({ bucket, key });
  const columnIndexes = Object.fromEntries(header.map((column, index) => [column, index]));
  const layout = { headerLine: 1, delimiter: ',', encoding: 'utf-8' } as const;
  return { key, etag: written?.etag ?? '', bytes: written?.bytes ?? 0, columnIndexes, layout };
}

/** Not due yet: the first reading of the port, which follows, schedules the polling. */
async function writeRequest(
  { account, importId, expiresAt }: ImportItem,
  { id, name }: PortDetail,
  { rows, head, holidays }: AdoptedPort,
  { plans, requests, clocks }: IngestPipeline,
): Promise<RequestItem> {
  const label = redactText(oneLine(name));
  const about = { importId, request: 1, operation: 'create-port', token: requestToken(importId, 1), label } as const;
  // Without a plan the request is like one whose plan has expired: its port cannot be rescheduled.
  const plan = head
    ? await plans.replace({ ...about, head, rows: [...rows] })
    : { key: planKey(importId), start: 0, end: 1, digest: '' };
  const lines = packLines(rows.map(({ line }) => line));
  const created = {
    state: 'created',
    portId: id,
    attempt: 0,
    revision: 0,
    rowCount: rows.length,
    lines,
    plan,
  } as const;
  const known = holidays.length === 0 ? {} : { holidays: [...holidays] };
  await requests.plan([{ account, ...about, ...created, ...known, changedAt: isoTime(clocks.wall()), expiresAt }]);
  const stored = await requests.get(importId, 1);
  if (stored === undefined) throw new Error(`the request of import ${importId} was not stored`);
  return stored;
}

/** Rows that have ended claim nothing. A number that another import claims at this moment stays with that import. */
async function claimNumbers(
  { importId, request, expiresAt }: RequestItem,
  port: PortDetail,
  { rows }: AdoptedPort,
  pipeline: IngestPipeline,
): Promise<void> {
  const { numbers, settings, clocks } = pipeline;
  const ended = new Set(
    port.rows
      .filter(({ statusName }) => rowStatus(statusName).terminal)
      .map(({ msisdn }) => msisdnKey(msisdn, settings.callingCode)),
  );
  const about = { importId, request, claimedAt: isoTime(clocks.wall()), expiresAt };
  const live = rows.filter(({ subject }) => !ended.has(subject));
  const claims = new Map(
    live.map(({ subject, line }): [string, NumberItem] => [subject, { ...about, number: subject, line }]),
  );
  for (const seen of await numbers.claim([...claims.values()])) {
    const claim = claims.get(seen.number);
    if (claim === undefined || isSameRequest(seen, claim)) continue;
    if ((await findHolder(seen, importId, pipeline)) !== undefined) continue;
    const ported = portedNumberOf(seen);
    await numbers.takeOver(seen, { ...claim, ...(ported && { ported }) });
  }
}
