// The package entry `simporter/simulator`: the porting simulator, in the process of a test.
import type * as z from 'zod';
import { readCatalogue } from '#simulator/catalogue/catalogue.ts';
import { type Choices, readChoices } from '#simulator/choices.ts';
import type { JournalEntry, journalPattern } from '#simulator/controls/controls.ts';
import type { faultPlanSchema } from '#simulator/controls/faults.ts';
import type { seedSchema } from '#simulator/controls/seed-state.ts';
import type { PortStatus } from '#simulator/ports/port.ts';
import type { clockBody } from '#simulator/routes/controls.ts';
import { startSimulator as start } from '#simulator/start-simulator.ts';

export interface SimulatorClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accountId: number;
}

export interface SimulatorOptions {
  /** TCP port; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** Whether the test controls under `/_sandbox` exist. @default true */
  readonly testControls?: boolean;
  /** What the specification leaves open, such as `{ strict: 'on' }`: the table in docs/reference/simulator.md. */
  readonly choices?: Partial<Choices>;
  /** A JSON file with accounts, networks and tariffs. @default the catalogue that comes with the simulator */
  readonly catalogueFile?: string;
  /** Lifetime of a token. @default 3600 */
  readonly tokenSeconds?: number;
  /** Requests of an account in a second; more are answered 429. @default no limit */
  readonly requestsPerSecond?: number;
}

/** Which requests fail, and how. */
export type FaultPlan = z.input<typeof faultPlanSchema>;
/** The ports and SIMs of an account; what is left out gets a value that fits. */
export type AccountState = z.input<typeof seedSchema>;
/** Which requests of the journal are meant; without members, all. */
export type JournalPattern = z.input<typeof journalPattern>;
export type ClockChange = z.input<typeof clockBody>;

export interface ClockTime {
  readonly now: string;
  readonly epochMs: number;
}

/** The requests of an account, oldest first, without PACs and secrets. */
export interface FoundRequests {
  readonly count: number;
  readonly requests: readonly JournalEntry[];
}

/** Everything of an account. It contains PACs. */
export interface Snapshot {
  readonly accountId: number;
  readonly now: string;
  readonly data: unknown;
}

/** Everything of an account as it is now, without PACs: ports with their history, submissions, SIMs. */
export interface Dump {
  readonly now: string;
  readonly ports: readonly Readonly<Record<string, unknown>>[];
  readonly submissions: readonly Readonly<Record<string, unknown>>[];
  readonly sims: readonly Readonly<Record<string, unknown>>[];
}

/** The controls, which change the first account only: docs/guides/test-with-the-simulator.md shows each. */
export interface Control {
  (method: 'GET', name: 'clock'): Promise<ClockTime>;
  (method: 'POST', name: 'clock', body: ClockChange): Promise<ClockTime>;
  /** The faults, with the number of requests that each has hit. */
  (method: 'GET', name: 'faults'): Promise<FaultPlan & { readonly faults: readonly { readonly hits: number }[] }>;
  /** Replaces the faults; an empty list ends them. */
  (method: 'PUT', name: 'faults', body: FaultPlan): Promise<unknown>;
  /** Replaces the ports and SIMs. Resolves with the ids of the ports, in the order of the request. */
  (method: 'PUT', name: 'state', body: AccountState): Promise<{ readonly portIds: readonly string[] }>;
  (method: 'PUT', name: `ports/${string}/status`, body: { readonly status: PortStatus }): Promise<undefined>;
  /** Resolves a port in an error state, as the operator of the service does. */
  (method: 'POST', name: `ports/${string}/resolve`): Promise<undefined>;
  (method: 'GET', name: 'journal'): Promise<FoundRequests>;
  (method: 'POST', name: 'journal', body: JournalPattern): Promise<FoundRequests>;
  (method: 'DELETE', name: 'journal'): Promise<undefined>;
  (method: 'GET', name: 'snapshot'): Promise<Snapshot>;
  (method: 'PUT', name: 'snapshot', body: Snapshot): Promise<undefined>;
  (method: 'GET', name: 'dump'): Promise<Dump>;
  /** Deletes everything of the account, and every advance of its clock. */
  (method: 'POST', name: 'reset'): Promise<undefined>;
}

/** A running simulator. It can be passed to `createPortingClient` as it is. */
export interface SimulatorService extends SimulatorClient {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** One client for each account of the catalogue; `clientId` and `clientSecret` are those of the first. */
  readonly clients: readonly SimulatorClient[];
  /** Advances the calendar of every account, so that ports move on. */
  advanceClock(milliseconds: number): Promise<void>;
  /**
   * Calls a test control, and resolves with its answer.
   * @example await control('PUT', 'state', { ports: [{ status: 'Locked', rows: [{ msisdn: '07700900123' }] }] })
   * @throws Error with the answer of the simulator
   */
  readonly control: Control;
  stop(): Promise<void>;
}

/**
 * Starts a simulator with its own data, and resolves once it listens.
 * @throws Error that names an unknown choice, an invalid catalogue, or a TCP port that is in use
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<SimulatorService> {
  const { testControls = true, choices = {}, catalogueFile, ...rest } = options;
  const running = await start({
    ...rest,
    sandbox: testControls,
    choices: readChoices(choices),
    catalogue: readCatalogue(catalogueFile),
  });
  const { simulator, ...service } = running;
  return {
    ...service,
    advanceClock: (milliseconds) => simulator.advanceClock(milliseconds),
    control: ((method: string, name: string, body?: unknown) =>
      callControl(running, { method, name, body })) as Control,
  };
}

interface ControlCall {
  readonly method: string;
  readonly name: string;
  readonly body: unknown;
}

async function callControl(
  {
    baseUrl,
    authUrl,
    clientId,
    clientSecret,
  }: SimulatorClient & { readonly baseUrl: string; readonly authUrl: string },
  { method, name, body }: ControlCall,
): Promise<unknown> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const granted = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const response = await fetch(`${baseUrl}/_sandbox/${name}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} /_sandbox/${name} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
