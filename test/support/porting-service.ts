// The porting service on a socket with a clock that the test moves, and a bare HTTP caller that already has a token.
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { readCatalogue } from '#functions/porting-service/catalogue.ts';
import { type RunningServer, type ServerOptions, startServer } from '#functions/porting-service/server.ts';
import { type CreatePortBody, type CreatePortRow, type PortDetail, serviceGroup } from '#shared/porting/contract.ts';

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

export interface TestService extends RunningServer {
  readonly accountId: number;
  /** One call with the bearer token of the first client, or of the client given. */
  call(method: string, path: string, options?: CallOptions & { readonly client?: number }): Promise<Reply>;
  now(): number;
  /** Moves the clock of the ports, milliseconds. */
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
  service: RunningServer,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  replyOf(
    await fetch(`${service.authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form), headers }),
  );

/** @param atEnd takes what closes the service. @default at the end of the test */
export async function startTestService(
  options: Omit<ServerOptions, 'clock'> & { readonly start?: number } = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<TestService> {
  let now = options.start ?? monday;
  const server = await startServer({ ...options, clock: () => now });
  atEnd(() => server.close());
  const tokens = await Promise.all(
    server.clients.map(async ({ clientId, clientSecret }) => {
      const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
      return (await requestToken(server, form)).body.access_token as string;
    }),
  );
  return {
    ...server,
    accountId: server.clients[0]?.accountId ?? 0,
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
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return replyOf(response);
    },
  };
}

/** A row of Create Port that is right for target 11; `index` makes its number and SIM its own. */
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

/** A Create Port that is right: a Type-A network, Wednesday 8 July 2026. */
export const portBody = (changes: Partial<CreatePortBody> = {}): CreatePortBody => ({
  name: 'A port',
  targetNetworkId: 11,
  sourceNetworkId: 1,
  connectionDate: '2026-07-08T00:00:00',
  portType: 'Port',
  rows: [portRow()],
  ...changes,
});

export async function createPort(service: TestService, changes: Partial<CreatePortBody> = {}): Promise<string> {
  const reply = await service.call('POST', `/api/porting/${service.accountId}`, { body: portBody(changes) });
  if (reply.status !== 201) throw new Error(`Create Port answered ${reply.status}: ${reply.text}`);
  return reply.body;
}

export const portPath = (service: TestService, portId: string): string =>
  `/api/porting/${service.accountId}/port/${portId}`;

export const readPort = async (service: TestService, portId: string): Promise<PortDetail> =>
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

/** The value a SIM's service is set to, by Get Services for SIM. */
export async function serviceValue(service: TestService, serial: string, name: string): Promise<string | undefined> {
  const groups = serviceGroups.parse((await service.call('GET', `/api/sim/${serial}/services`)).body);
  return groups.flatMap(({ services }) => services).find((each) => each.name === name)?.optionValue ?? undefined;
}
