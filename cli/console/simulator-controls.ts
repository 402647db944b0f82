// How the console controls the simulator: routes that are passed on to it with its own client, and its calendar.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { callerLimit } from '#functions/api/context.ts';
import { type Api, bindEndpoints, createApi, createIdempotency } from '#functions/api/http/app.ts';
import { ApiProblem } from '#functions/api/http/endpoint.ts';
import { faultPlan, type SimulatorControls, simulatorEndpoints } from '#functions/api/simulator.ts';
import { installation } from '#installation';
import type { RunningCalendar } from '#local/running-calendar.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isActive } from '#shared/import/import-state.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { createLog } from '#shared/runtime/logger.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { createFiles } from '#shared/store/files.ts';
import { createIdempotencyStore } from '#shared/store/idempotency-keys.ts';
import { eachImport, type ImportReader } from '#shared/store/imports.ts';
import { uploadKey } from '#shared/store/object-keys.ts';
import { importId } from '#shared/text/identity.ts';
import type { ServiceAccess } from '../local-pipeline/local-pipeline.ts';
import type { Resources } from '../target/stack-outputs.ts';

interface SimulatorControlOptions {
  readonly service: ServiceAccess;
  readonly calendar: CalendarControl;
  readonly clients: AwsClients;
  readonly resources: Resources;
}

const accessToken = z.object({ access_token: z.string() });

export function createSimulatorApi(options: SimulatorControlOptions): Api {
  const { clients, resources } = options;
  return createApi({
    endpoints: bindEndpoints(simulatorEndpoints, createSimulatorControls(options)),
    idempotency: createIdempotency(createIdempotencyStore(clients.table, resources.resultsTable, wallClock)),
    limit: callerLimit,
    wall: wallClock,
    log: createLog({ service: 'api-simulator', level: 'ERROR' }),
  });
}

function createSimulatorControls(options: SimulatorControlOptions): SimulatorControls {
  const { service, calendar } = options;
  const control = async (method: 'GET' | 'PUT', path: string, body?: unknown): Promise<unknown> => {
    const token = await readToken(service);
    const response = await fetch(`${service.baseUrl}/_sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.json();
    const { message } = z.object({ message: z.string() }).parse(await response.json());
    throw new ApiProblem(response.status === 404 ? 'not-ready' : 'invalid-request', message);
  };
  return {
    calendar,
    getFaults: async () => faultPlan.parse(await control('GET', 'faults')),
    setFaults: async (plan) => faultPlan.parse(await control('PUT', 'faults', plan)),
    loadExample: (name, writeId) => loadExample(name, writeId, options),
  };
}

/** Asks the simulator for a token. */
export async function readToken({ authUrl, clientId, clientSecret }: ServiceAccess): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  return accessToken.parse(await response.json()).access_token;
}

async function loadExample(
  name: string,
  writeId: string,
  { clients, resources: { inboxBucket: bucket } }: SimulatorControlOptions,
): Promise<string> {
  const files = createFiles(clients.s3);
  const operation = name.replace(/\.csv$/, '');
  const key = uploadKey({ operation, folder: writeId, fileName: name, planOnly: true });
  const writer = files.open(bucket, key, 'text/csv');
  for await (const chunk of createReadStream(join(installation.examples, name))) await writer.write(chunk as Buffer);
  await writer.close();
  const head = await files.head({ bucket, key });
  return importId({ bucket, key, version: head?.versionId ?? head?.etag ?? '' });
}

// The calendar of the simulator. A person may pause it, skip days or choose its speed. Until then it runs only while
// numbers are in progress, and stops when one requires action: no day passes while a person fixes a file or types PACs.

interface CalendarControlOptions {
  readonly calendar: RunningCalendar;
  /** Whether it pauses by itself, until a person chooses a speed. */
  readonly automatic: boolean;
  readonly imports: ImportReader;
  /** Receives messages for the user. */
  readonly report: (line: string) => void;
}

type Calendar = SimulatorControls['calendar'];

interface CalendarControl extends Calendar {
  /** Pauses the calendar, or lets it continue, where it does so by itself. */
  readonly check: () => Promise<void>;
}

/** A day a minute. */
export const usualSpeed = 1_440;

const paused = 'The calendar is paused: no number is in progress, or one requires action.';

const actionsOf = (imports: readonly ImportItem[]): number =>
  imports.reduce((sum, { actionRequired }) => sum + actionRequired, 0);

/**
 * Finds out whether a person must act before anything can happen.
 * @param hasRun the calendar ran when the last run ended, so nobody was waited for then
 */
function watchForPerson(hasRun: boolean): (imports: readonly ImportItem[]) => boolean {
  let seen: Set<string> | undefined;
  /** Actions that were required when a person last acted. The effect shows only once the calendar runs. */
  let accepted = 0;
  return (imports) => {
    const required = actionsOf(imports);
    // Corrections, new PACs and removals are imports too. A file that is only validated, or rejected, solves nothing.
    const sent = imports.filter((item) => isActive(item) || item.state === 'finished');
    const known = seen;
    const hasActed = known === undefined ? hasRun : sent.some(({ importId }) => !known.has(importId));
    seen = new Set(sent.map(({ importId }) => importId));
    // Nobody has seen the actions of an import that is new itself.
    const answered = known === undefined ? imports : imports.filter(({ importId }) => known.has(importId));
    accepted = hasActed ? actionsOf(answered) : Math.min(accepted, required);
    return !imports.some(isActive) || required > accepted;
  };
}

export function createCalendarControl({
  calendar,
  automatic,
  imports,
  report,
}: CalendarControlOptions): CalendarControl {
  let isAutomatic = automatic;
  const firstSpeed = calendar.current().speed;
  const waitsForPerson = watchForPerson(firstSpeed > 0);
  const runningSpeed = firstSpeed || usualSpeed;
  const show = () => ({
    now: new Date(calendar.now()).toISOString(),
    speed: calendar.current().speed,
    automatic: isAutomatic,
  });
  const check = async (): Promise<void> => {
    if (!isAutomatic) return;
    const speed = waitsForPerson(await Array.fromAsync(eachImport(imports))) ? 0 : runningSpeed;
    if (speed === calendar.current().speed || !isAutomatic) return;
    await calendar.change({ speed });
    report(speed === 0 ? paused : 'The calendar runs again.');
  };
  const move: Calendar['move'] = async (wanted) => {
    if ('days' in wanted) await calendar.change({ days: wanted.days });
    isAutomatic = 'automatic' in wanted || (isAutomatic && !('speed' in wanted));
    if ('speed' in wanted) await calendar.change({ speed: wanted.speed });
    await check();
    return show();
  };
  return { show, move, check };
}

const checkEveryMs = 1_000;
/** A check reads every import: it takes at most a fifth of the time. */
const checkShare = 5;

interface Pacing {
  readonly clock: () => number;
  /** Rejects at the signal. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

const realPacing: Pacing = {
  clock: () => performance.now(),
  wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal, ref: false }),
};

/** Checks until the signal. A check that fails is repeated by the next one. */
export async function keepChecking(
  check: () => Promise<void>,
  signal: AbortSignal,
  { clock, wait }: Pacing = realPacing,
): Promise<void> {
  try {
    for (let tookMs = 0; ; ) {
      await wait(Math.max(checkEveryMs, (checkShare - 1) * tookMs), signal);
      const begun = clock();
      await check().catch(() => undefined);
      tookMs = clock() - begun;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
