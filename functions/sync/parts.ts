// What a sync run works with.
import type { Drifts } from '#shared/aws/drifts.ts';
import type { Imports } from '#shared/aws/imports.ts';
import type { Leases } from '#shared/aws/leases.ts';
import type { Looks } from '#shared/aws/looks.ts';
import type { Numbers } from '#shared/aws/numbers.ts';
import type { Plans } from '#shared/aws/plans.ts';
import type { Ports } from '#shared/aws/ports.ts';
import type { Queues } from '#shared/aws/queues.ts';
import type { Reminders } from '#shared/aws/reminders.ts';
import type { Requests } from '#shared/aws/requests.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import type { PaceItem } from '#shared/domain/pace.ts';
import type { ReportMessage } from '#shared/domain/plan.ts';
import type { LookContext } from '#shared/domain/port-look.ts';
import type { TimeZone } from '#shared/domain/time-zone.ts';
import type { OnUnreadable } from '#shared/domain/unreadable-item.ts';
import type { Operation } from '#shared/operations/operation.ts';
import type { PortingClient } from '#shared/porting/client.ts';
import type { Clocks } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';

export interface SyncSettings {
  readonly account: number;
  readonly zone: TimeZone;
  readonly callingCode: string;
  readonly quietMs: number;
  readonly submitQueueUrl: string;
  readonly reportQueueUrl: string;
  /** Requests and ports that one run takes on, each. */
  readonly limit: number;
  /** How long bad lines may hold good ones, in milliseconds of calendar time. @default - until a person acts */
  readonly evictAfterMs?: number | undefined;
  /** The hour at which the service locks the next working day's ports. @default 16 */
  readonly lockingHour?: number | undefined;
  /** SIMs whose services one run compares: a call each. */
  readonly simsPerRun: number;
}

export interface SyncParts {
  readonly requests: Pick<Requests, 'get' | 'replace' | 'due' | 'lost' | 'held'>;
  readonly ports: Pick<Ports, 'get' | 'rows' | 'due' | 'waiting' | 'touch' | 'record'>;
  readonly numbers: Pick<Numbers, 'get'>;
  readonly looks: Looks;
  readonly imports: Pick<Imports, 'get'>;
  readonly reminders: Reminders;
  readonly leases: Pick<Leases, 'take' | 'release'>;
  readonly plans: Plans;
  readonly queues: Queues;
  readonly client: Pick<
    PortingClient,
    'ready' | 'networks' | 'listPorts' | 'port' | 'cancelPort' | 'simServices' | 'updatePort'
  >;
  readonly pace: { get(): Promise<PaceItem | undefined>; probeNow(): Promise<void> };
  readonly drifts: Pick<Drifts, 'due' | 'replace'>;
  readonly operationNamed: (name: OperationName) => Operation | undefined;
  /** Once an hour; answers how many uploads were announced again. */
  readonly sweepInbox: (onUnreadable: OnUnreadable) => Promise<number>;
  /** Once a day; answers whether it was this time. */
  readonly writeLookupPack: () => Promise<boolean>;
  readonly settings: SyncSettings;
  readonly clocks: Clocks;
  /** Names this run. */
  readonly runId: string;
  /** A person asks whether the service takes the secret; the client has read nothing of it yet. @default false */
  readonly checkSecret?: boolean;
  /** Milliseconds this invocation may still take. */
  readonly remainingMs: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Kept free at the end of a run: what has begun can be recorded, and report be told. */
const reserveMs = 5_000;

export const isTimeShort = (parts: SyncParts): boolean => parts.remainingMs() < reserveMs;

/** A look that begins now. */
export const lookContext = ({ settings, clocks }: SyncParts): LookContext => ({
  account: settings.account,
  zone: settings.zone,
  callingCode: settings.callingCode,
  lockingHour: settings.lockingHour,
  lookedAt: clocks.calendar(),
});

export async function tellReport(
  importIds: readonly string[],
  { queues, settings }: Pick<SyncParts, 'queues' | 'settings'>,
): Promise<void> {
  const messages: ReportMessage[] = importIds.map((importId) => ({ importId }));
  if (messages.length > 0) await queues.send(settings.reportQueueUrl, messages);
}
