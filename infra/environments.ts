// The built-in environments: what differs from the defaults. cdk.json can change them and define more environments.
import { placeholderDomain } from './derived-settings.ts';
import { type Configuration, type Settings, type Stage, settingsSchema } from './settings.ts';

const placeholderService = {
  baseUrl: `https://porting.${placeholderDomain}`,
  authUrl: `https://auth.porting.${placeholderDomain}`,
  accountId: 1,
} as const;

const differences: Readonly<Record<Stage, Omit<Settings, 'stage'>>> = {
  local: {
    // The emulator replaces these addresses with those of its porting simulator.
    service: { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', accountId: 1 },
    callsPerSecond: 100,
    ingest: { concurrency: 2 },
    // Short leases: an emulator that was killed continues within seconds of its next start.
    submit: { concurrency: 2, callTimeoutSeconds: 5, quietSeconds: 5 },
    sync: { everyMinutes: 1 },
    alarms: { enabled: false },
    production: false,
    releases: 'direct',
    auditTrail: false,
    console: { enabled: true },
  },
  dev: {
    service: placeholderService,
    retention: { recordDays: 90, logDays: 14 },
    alarms: { enabled: false },
    production: false,
    releases: 'direct',
    auditTrail: false,
    simulator: true,
    console: { colour: '#0972d3' },
  },
  prod: { service: placeholderService },
};

const complete = (stage: Stage): Configuration => settingsSchema.parse({ ...differences[stage], stage });

export const environments: Readonly<Record<Stage, Configuration>> = {
  local: complete('local'),
  dev: complete('dev'),
  prod: complete('prod'),
};
