// Takes lines with a bad PAC out of ports in which they have held good ones for too long (policy onBadPac: evict). What was
// taken out is kept with the request, so that report gives those rows back as a file to fill and drop.
import { decideEviction, isEvictionDue } from '#shared/domain/eviction.ts';
import type { RequestItem } from '#shared/domain/ledger.ts';
import { packLines, unpackLines } from '#shared/domain/lines.ts';
import { type KnownPort, lookAtDetail, msisdnKey } from '#shared/domain/port-look.ts';
import { withNextRevision } from '#shared/domain/request-state.ts';
import type { PortDetail } from '#shared/porting/contract.ts';
import { isTimeShort, lookContext, type SyncParts } from './parts.ts';
import type { RunParts } from './trouble.ts';

/** What else the run has to do gets the other half of its time. */
const shareOfTime = 0.5;

/** Answers how many lines were taken out; adds the imports of which something changed to `imports`. */
export async function evict(parts: RunParts, imports: Set<string>): Promise<number> {
  const { ports, settings, clocks, log, trouble } = parts;
  const { evictAfterMs } = settings;
  if (evictAfterMs === undefined) return 0;
  const enoughMs = parts.remainingMs() * shareOfTime;
  const now = new Date(clocks.calendar()).toISOString();
  let evicted = 0;
  for await (const port of ports.waiting(settings.account, now, trouble.noteUnreadable)) {
    if (isTimeShort(parts) || parts.remainingMs() < enoughMs) break;
    if (!isEvictionDue(port, evictAfterMs, clocks.calendar())) continue;
    try {
      const lines = await evictFrom(port.portId, evictAfterMs, parts);
      if (lines !== undefined) imports.add(port.importId);
      evicted += lines ?? 0;
    } catch (error) {
      if (!(await trouble.concernsOnlyIt(error))) throw error;
      const { portId, importId } = port;
      log.error('the lines that hold a port could not be taken out', { portId, importId, error });
    }
  }
  return evicted;
}

/** Safe to repeat after a crash anywhere: it acts on the port as it is just then. undefined: it was not due after all. */
async function evictFrom(portId: string, afterMs: number, parts: SyncParts): Promise<number | undefined> {
  const { client, requests, clocks, settings, log } = parts;
  const known = await readKnown(portId, parts);
  if (known?.port === undefined || !isEvictionDue(known.port, afterMs, clocks.calendar())) return undefined;
  const detail = await client.port(portId);
  const decision = decideEviction(portNow(detail, settings.callingCode));
  if (decision.call !== 'cancel-lines') {
    await recordLook(known, detail, parts);
    return 0;
  }
  const lines = known.rows.filter(({ msisdn }) => decision.due.has(msisdn)).map(({ line }) => line);
  // The intent first: whoever finds these rows cancelled then knows by whom (decision 29).
  const intent = withEvicted(known.request, lines);
  if (!(await requests.replace(known.request, intent))) return undefined;
  const Rows = detail.rows
    .filter(({ msisdn }) => decision.due.has(msisdnKey(msisdn, settings.callingCode)))
    .map(({ msisdn }) => ({ Msisdn: msisdn, PortRowStatus: 'CancellationRequested' as const }));
  await client.updatePort(portId, { Rows });
  log.warn('lines that held others were taken out of their port', { portId, importId: known.request.importId, lines });
  const request = withNextRevision(known.request, intent);
  await recordLook({ ...known, request }, await client.port(portId), parts);
  return Rows.length;
}

async function readKnown(portId: string, { ports, requests }: SyncParts): Promise<KnownPort | undefined> {
  const port = await ports.get(portId);
  const request = port && (await requests.get(port.importId, port.request));
  const rows = port && (await ports.rows(portId));
  // A port that a person decided against is left to its end.
  return request?.portId === portId && rows ? { port, request, rows } : undefined;
}

async function recordLook(known: KnownPort, detail: PortDetail, parts: SyncParts): Promise<void> {
  const look = lookAtDetail(known, detail, lookContext(parts));
  if (look !== undefined) await parts.looks.record(look);
}

const portNow = ({ statusName, rows }: PortDetail, callingCode: string) => ({
  statusName,
  lines: new Map(rows.map((row) => [msisdnKey(row.msisdn, callingCode), row] as const)),
});

function withEvicted(request: RequestItem, lines: readonly number[]): RequestItem {
  const all = new Set([...unpackLines(request.evicted ?? ''), ...lines]);
  return { ...request, evicted: packLines([...all].sort((one, other) => one - other)) };
}
