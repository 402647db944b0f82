// The proof of a call that made or changed a port: the port as the service holds it, recorded where it is followed. So a
// change shows at once in the results of the import that made the port.
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import { type KnownPort, type Look, lookAtDetail } from '#shared/domain/port-look.ts';
import type { Answer } from '#shared/domain/request-state.ts';
import { OutOfTime, recordingMs } from './out-of-time.ts';
import type { SubmitParts } from './parts.ts';

/** Sync may be looking at the same port: then the look is taken again. */
const attempts = 3;

/**
 * Reads the port of a recorded answer and writes what it tells. Whatever fails here is done again by sync: a request stays
 * due until its new port has been read, and a port is looked at until it ends.
 */
export async function readBack(
  recorded: RequestItem,
  answer: Answer,
  sent: PlannedRequest,
  parts: SubmitParts,
): Promise<void> {
  if (!('portId' in answer)) return;
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await lookOnce(answer.portId, recorded, sent, parts)) return;
    }
  } catch (error) {
    parts.log.warn('the port was not read back yet', { importId: recorded.importId, request: recorded.request, error });
  }
}

/** false: somebody else wrote a look meanwhile. */
async function lookOnce(
  portId: string,
  recorded: RequestItem,
  sent: PlannedRequest,
  parts: SubmitParts,
): Promise<boolean> {
  const { settings, looks } = parts;
  const known = recorded.portId === portId ? newPort(recorded, sent) : await followedPort(portId, parts);
  if (known === undefined) return true;
  const { zone, callingCode } = settings.rules;
  const { account, lockingHour } = settings;
  const { lookedAt, detail } = await parts.inTurn(() => read(portId, parts));
  const look = lookAtDetail(known, detail, { account, zone, callingCode, lockingHour, lookedAt });
  if (look === undefined) return true;
  const written = await looks.record(look);
  if (written) note(look, parts);
  return written;
}

/** A look begins when it is asked for, not when it began to wait for its turn. */
async function read(portId: string, { clocks, client, remainingMs }: SubmitParts) {
  if (remainingMs() < recordingMs) throw new OutOfTime('no time to read the port back');
  const lookedAt = clocks.calendar();
  return { lookedAt, detail: await client.port(portId) };
}

const newPort = (request: RequestItem, sent: PlannedRequest): KnownPort => ({
  request,
  rows: sent.rows.map(({ line, subject }) => ({ line, msisdn: subject, status: '' })),
});

/** undefined: the port was not made here, or is a duplicate; nobody follows it. */
async function followedPort(portId: string, { ports, requests }: SubmitParts): Promise<KnownPort | undefined> {
  const port = await ports.get(portId);
  const request = port && (await requests.get(port.importId, port.request));
  const rows = port && (await ports.rows(portId));
  return request && rows && { port, request, rows };
}

function note({ seen, next }: Look, { metrics, log, alsoChanged }: SubmitParts): void {
  alsoChanged(next.importId);
  const more = next.attention - (seen?.attention ?? 0);
  if (more > 0) metrics.count('attention', more);
  if (next.concern === undefined || next.concern === seen?.concern) return;
  const { importId, request, portId, rowCount, attention } = next;
  log.error('the port is not what was sent', { importId, request, portId, rowCount, attention });
}
