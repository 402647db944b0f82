// The values of the settings in each built-in environment. cdk.json can change them and define more environments.
import { placeholderDomain } from './derived-settings.ts';
import type { Configuration, Stage } from './settings.ts';

const shared = {
  account: {
    zone: 'Europe/London',
    callingCode: '44',
    msisdnFormat: 'national',
    alreadyPorted: 'error',
    lockingHour: 16,
    onInvalidPac: 'wait',
    removeBlockingAfterHours: 24,
  },
  callsPerSecond: 10,
  // 10 million rows of 140 characters are 1.4 GB.
  limits: { rowsPerRequest: 100, fileBytes: 2 * 1024 ** 3, fileRows: 10_000_000, toleratedFailurePercentage: 100 },
  ingest: { memoryMegabytes: 512, timeoutSeconds: 900, concurrency: 5 },
  submit: {
    memoryMegabytes: 256,
    batchSize: 5,
    callTimeoutSeconds: 15,
    // Longer than a port list has been seen to lag.
    quietSeconds: 240,
    retryWithoutDeclined: true,
    splitDeclined: false,
  },
  sync: { memoryMegabytes: 512, everyMinutes: 5 },
  report: { memoryMegabytes: 512, timeoutSeconds: 900, concurrency: 2, batchSize: 1000, windowSeconds: 1 },
  // 100 events are 10 calls to the event bus; the retries of a throttled call take 30 seconds.
  announce: { memoryMegabytes: 256, timeoutSeconds: 120, batchSize: 100, windowSeconds: 2, retryAttempts: 20 },
  // Report reads the upload again until the last port has ended: a PAC is valid for 30 days (decision 12), and a
  // migration may be booked further ahead. A plan is read until its requests have an outcome.
  retention: { inboxDays: 90, planDays: 45, resultsDays: 180, recordDays: 730, auditDays: 365, logDays: 90 },
  alarms: { enabled: true, rowsNeedingAction: 50, unfinishedMinutes: 60, stalenessMinutes: 30 },
  production: true,
  releases: 'canary',
  tracing: false,
  auditTrail: true,
  simulator: false,
  console: { enabled: false, colour: '#d91515' },
} as const satisfies Omit<Configuration, 'stage' | 'service'>;

const placeholderService = {
  baseUrl: `https://porting.${placeholderDomain}`,
  authUrl: `https://auth.porting.${placeholderDomain}`,
  accountId: 1,
} as const;

export const environments: Readonly<Record<Stage, Omit<Configuration, 'stage'>>> = {
  local: {
    ...shared,
    // The emulator replaces these addresses with those of its porting simulator.
    service: { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', accountId: 1 },
    callsPerSecond: 100,
    ingest: { ...shared.ingest, concurrency: 2 },
    // Short leases: an emulator that was killed continues within seconds of its next start.
    submit: { ...shared.submit, concurrency: 2, callTimeoutSeconds: 5, quietSeconds: 5 },
    sync: { ...shared.sync, everyMinutes: 1 },
    alarms: { ...shared.alarms, enabled: false },
    production: false,
    releases: 'direct',
    auditTrail: false,
    console: { ...shared.console, enabled: true },
  },
  dev: {
    ...shared,
    service: placeholderService,
    retention: { ...shared.retention, recordDays: 90, logDays: 14 },
    alarms: { ...shared.alarms, enabled: false },
    production: false,
    releases: 'direct',
    auditTrail: false,
    simulator: true,
    console: { enabled: false, colour: '#0972d3' },
  },
  prod: { ...shared, service: placeholderService },
};
