// Reads the port that a call created or changed, and records it. The results of the import that created the port so
// show a change at once.
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import { isPortOf } from '#shared/domain/ports/port-ownership.ts';
import type { KnownPort } from '#shared/domain/ports/port-snapshot.ts';
import { discardPortId, wrongPort } from '#shared/domain/requests/request-state.ts';
import type { RequestItem } from '#shared/items/request.ts';
import { moveRequest } from '#shared/ledger/move-request.ts';
import { findKnownPort, type Observation, readPort, recordObservation } from '#shared/ledger/observe-port.ts';
import { DeadlineExceeded, timeNeeded } from '#shared/runtime/deadline.ts';
import type { SubmitDependencies } from './dependencies.ts';

import type { SentRequest } from './send-request.ts';

/** Sync may record the same port at the same time: then the port is read again. */
const attempts = 3;

/**
 * If this fails, sync reads the port: the request stays due until its new port was read, and a port until it has ended.
 */
export async function readBack(
  { recorded: request, answer, sent }: SentRequest,
  dependencies: SubmitDependencies,
): Promise<void> {
  if (!('portId' in answer)) return;
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const isNew = request.portId === answer.portId;
      const known = isNew ? newPort({ request, sent }) : await findKnownPort(answer.portId, dependencies);
      if (known === undefined || (await isRecorded(answer.portId, known, dependencies))) return;
    }
  } catch (error) {
    const { importId, request: number } = request;
    dependencies.log.warn('a port could not be read back yet', { importId, request: number, error });
  }
}

const newPort = ({ request, sent }: { readonly request: RequestItem; readonly sent: PlannedRequest }): KnownPort => ({
  request,
  rows: sent.rows.map(({ line, subject }) => ({ line, msisdn: subject, status: '' })),
});

async function isRecorded(portId: string, known: KnownPort, dependencies: SubmitDependencies): Promise<boolean> {
  if (!dependencies.deadline.hasTimeFor(timeNeeded.recordAnswer))
    throw new DeadlineExceeded('no time to read the port back');
  const observation = await readPort(portId, dependencies);
  if (known.port === undefined && !isOwn(known, observation, dependencies)) {
    await discard(known.request, observation, dependencies);
    return true;
  }
  const recorded = await recordObservation(known, observation, dependencies);
  if (typeof recorded === 'object') dependencies.onImportChanged(recorded.next.importId);
  return recorded !== 'conflict';
}

const isOwn = ({ request, rows }: KnownPort, { detail }: Observation, { settings }: SubmitDependencies): boolean =>
  isPortOf(
    request.token,
    detail,
    rows.map(({ msisdn }) => msisdn),
    settings.callingCode,
  );

/** The service answered with the id of another port: sync searches for the request's own. */
async function discard(request: RequestItem, { detail }: Observation, dependencies: SubmitDependencies) {
  const { clocks, settings, log } = dependencies;
  const { id, name } = detail;
  log.error('the service answered with the id of another port', { importId: request.importId, portId: id });
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  await moveRequest(request, discardPortId(request, wrongPort(id, name), times), dependencies);
}
