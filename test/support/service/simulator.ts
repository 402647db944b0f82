// The porting simulator with a clock that the test moves, and an HTTP caller with a token. Every answer is checked with
// the OpenAPI document.
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { type CreatePortBody, type CreatePortRow, type PortDetail, serviceGroup } from '#shared/service/contract.ts';
import { readCatalogue } from '#simulator/catalogue/catalogue.ts';
import { type RunningSimulator, type StartOptions, startSimulator } from '#simulator/start-simulator.ts';
import { answerCheckerOf, problemOf, shareChecker } from './openapi-answers.ts';

const serviceGroups = z.array(serviceGroup);

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestSimulator extends RunningSimulator {
  /** One call with the bearer token of the first client, or of the client given. */
  call(method: string, path: string, options?: CallOptions & { readonly client?: number }): Promise<Reply>;
  now(): number;
  /** Advances the clock of the ports by milliseconds. */
  pass(milliseconds: number): void;
  moveTo(time: string): void;
}

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Monday 6 July 2026, ten in the morning in London: no holiday near. */
export const monday = Date.parse('2026-07-06T09:00:00Z');

async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, text, headers: response.headers, body };
}

export const requestToken = async (
  service: Pick<RunningSimulator, 'baseUrl' | 'authUrl' | 'simulator'>,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Reply> => {
  const path = '/connect/token';
  const body = new URLSearchParams(form);
  const reply = await replyOf(await fetch(`${service.authUrl}${path}`, { method: 'POST', body, headers }));
  await checkAnswer(service, 'POST', path, reply);
  return reply;
};

/** @throws Error if the document does not describe the answer */
async function checkAnswer(
  service: Pick<RunningSimulator, 'baseUrl' | 'simulator'>,
  method: string,
  path: string,
  { status, headers, text }: Reply,
): Promise<void> {
  const checker = await answerCheckerOf(service);
  const problem = problemOf(checker, { method, path, status, contentType: headers.get('content-type') ?? '', text });
  if (problem !== null) throw new Error(`The OpenAPI document does not describe this answer: ${problem}`);
}

/** @param atEnd gets what stops the simulator. @default at the end of the test */
export async function startTestSimulator(
  options: Omit<StartOptions, 'clock'> & { readonly start?: number } = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<TestSimulator> {
  let now = options.start ?? monday;
  const server = await startSimulator({ ...options, clock: () => now });
  atEnd(() => server.stop());
  shareChecker(server, options);
  const tokens = await Promise.all(
    server.clients.map(async ({ clientId, clientSecret }) => {
      const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
      return (await requestToken(server, form)).body.access_token as string;
    }),
  );
  return {
    ...server,
    now: () => now,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    moveTo: (time) => {
      now = Date.parse(time);
    },
    async call(method, path, { body, headers, client = 0 } = {}) {
      const response = await fetch(`${server.baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${tokens[client]}`,
          ...(body !== undefined && { 'content-type': 'application/json;charset=UTF-8' }),
          ...headers,
        },
        ...(body !== undefined && {
          body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
        }),
      });
      const reply = await replyOf(response);
      await checkAnswer(server, method, path, reply);
      return reply;
    },
  };
}

/** A valid row of Create Port for target 11. `index` makes its number and SIM unique. */
export const portRow = (index = 1, changes: Partial<CreatePortRow> = {}): CreatePortRow => ({
  groupName: 'Business',
  esim: false,
  msisdn: `07700900${String(index).padStart(3, '0')}`,
  serialNo: `894411${String(index).padStart(14, '0')}`,
  provisioningOrder: 5001,
  provisioningOrderName: null,
  pac: `ABC${String(index).padStart(6, '0')}`,
  tariffId: 2001,
  boltOns: [101],
  services: null,
  ...changes,
});

/** A valid Create Port: a Type-A network, Wednesday 8 July 2026. */
export const portBody = (changes: Partial<CreatePortBody> = {}): CreatePortBody => ({
  name: 'A port',
  targetNetworkId: 11,
  sourceNetworkId: 1,
  connectionDate: '2026-07-08T00:00:00',
  portType: 'Port',
  rows: [portRow()],
  ...changes,
});

export async function createPort(service: TestSimulator, changes: Partial<CreatePortBody> = {}): Promise<string> {
  const reply = await service.call('POST', `/api/porting/${service.accountId}`, { body: portBody(changes) });
  if (reply.status !== 201) throw new Error(`Create Port answered ${reply.status}: ${reply.text}`);
  return reply.body;
}

export const portPath = (service: TestSimulator, portId: string): string =>
  `/api/porting/${service.accountId}/port/${portId}`;

export const readPort = async (service: TestSimulator, portId: string): Promise<PortDetail> =>
  (await service.call('GET', portPath(service, portId))).body;

/** Serials of the catalogue's stock, e.g. of SIMs on hire on the GDSP network. */
export const stockSerials = (
  networkNumber: number,
  { status = 'on-hire', accountId = 1001 }: { status?: 'on-hire' | 'in-stock'; accountId?: number } = {},
): string[] =>
  readCatalogue()
    .data.stock.filter(
      (sim) => sim.networkNumber === networkNumber && sim.status === status && sim.accountId === accountId,
    )
    .map(({ serialNumber }) => serialNumber);

/** The value of a service on a SIM, by Get Services for SIM. */
export async function serviceValue(service: TestSimulator, serial: string, name: string): Promise<string | undefined> {
  const groups = serviceGroups.parse((await service.call('GET', `/api/sim/${serial}/services`)).body);
  return groups.flatMap(({ services }) => services).find((each) => each.name === name)?.optionValue ?? undefined;
}
