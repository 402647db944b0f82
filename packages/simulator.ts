// The package entry `simporter/simulator`: the porting simulator, in the process of a test.
import { readCatalogue } from '#simulator/catalogue/catalogue.ts';
import { type Choices, readChoices } from '#simulator/choices.ts';
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
  /** What the specification leaves open, such as `{ strict: 'on' }`: the table in docs/simulator.md. */
  readonly choices?: Partial<Choices>;
  /** A JSON file with accounts, networks and tariffs. @default the catalogue that comes with the simulator */
  readonly catalogueFile?: string;
  /** Lifetime of a token. @default 3600 */
  readonly tokenSeconds?: number;
  /** Requests of an account in a second; more are answered 429. @default no limit */
  readonly requestsPerSecond?: number;
}

/** A running simulator. It can be passed to `createPortingClient` as it is. */
export interface SimulatorService extends SimulatorClient {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** One client for each account of the catalogue; `clientId` and `clientSecret` are those of the first. */
  readonly clients: readonly SimulatorClient[];
  /** Advances the calendar of every account, so that ports move on. */
  advanceClock(milliseconds: number): Promise<void>;
  /** Calls a test control: `control('PUT', 'state', { ports: [{ status: 'Locked' }] })`. Resolves with its answer. */
  control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', name: string, body?: unknown): Promise<unknown>;
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
    control: (method, name, body) => callControl(running, { method, name, body }),
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
