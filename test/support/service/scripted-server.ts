// A client of a scripted server, with waits that are noted instead of waited, and samples of what it sends and gets.
import { createPortingClient, type PortingClient, type PortingClientSettings } from '#shared/service/client.ts';
import type { CreatePortBody, PortDetail, PortSummary } from '#shared/service/contract.ts';
import { isPortingFailure, type PortingFailure } from '#shared/service/errors.ts';
import { type Answer, type FaultServer, type Script, startFaultServer } from './fault-server.ts';

export const portId = '11111111-2222-4333-8444-555555555555';
export const ticketNumber = '99999999-2222-4333-8444-555555555555';
export const clientSecret = 'the-very-secret-secret';

export interface ScriptedClient extends AsyncDisposable {
  readonly client: PortingClient;
  readonly server: FaultServer;
  /** Milliseconds of every wait the client asked for. */
  readonly waits: readonly number[];
}

export async function scriptedClient(
  script: Script,
  settings: Partial<PortingClientSettings> & { readonly tokens?: Script } = {},
): Promise<ScriptedClient> {
  const { tokens, ...overrides } = settings;
  const server = await startFaultServer(script, tokens);
  const waits: number[] = [];
  const client = createPortingClient({
    baseUrl: server.url,
    authUrl: server.url,
    accountId: 1001,
    credentials: async () => ({ clientId: 'client-1', clientSecret }),
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
    random: () => 0.5,
    ...overrides,
  });
  return { client, server, waits, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A time-out for answers that never end, and otherwise none: a busy machine may need long for the token. */
export const timeoutFor = (answer: Answer): { readonly timeoutMs?: number } =>
  'fault' in answer && ['hang', 'drip'].includes(answer.fault) ? { timeoutMs: 1_000 } : {};

/** The failure `call` rejects with; anything else is an error of the test. */
export async function failureOf(call: Promise<unknown>): Promise<PortingFailure> {
  try {
    const value = await call;
    throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
  } catch (error) {
    if (isPortingFailure(error)) return error;
    throw error;
  }
}

export const createPortBody = (overrides: Partial<CreatePortBody> = {}): CreatePortBody => ({
  name: 'spring-batch abc123',
  targetNetworkId: 1,
  sourceNetworkId: 2,
  connectionDate: '2026-07-01T00:00:00',
  portType: 'Port',
  rows: [
    {
      groupName: 'group-1',
      esim: false,
      msisdn: '07700900123',
      serialNo: '8944100000000000001',
      provisioningOrder: 5,
      pac: 'ABC123456',
      tariffId: 10,
      boltOns: [20],
      services: [{ name: 'Roaming', value: 'true' }],
    },
  ],
  ...overrides,
});

export const portSummary = (id: string, overrides: Partial<PortSummary> = {}): PortSummary => ({
  id,
  name: `port ${id}`,
  connectionDate: '2026-07-01T00:00:00',
  portType: 1,
  portTypeName: 'Port',
  rowCount: 1,
  status: 1,
  statusName: 'Created',
  ...overrides,
});

export const portDetail = (overrides: Partial<PortDetail> = {}): PortDetail => ({
  id: portId,
  status: 1,
  statusName: 'Created',
  name: 'spring-batch abc123',
  targetNetworkId: 1,
  targetNetworkName: 'Target',
  sourceNetworkId: 2,
  sourceNetworkName: 'Source',
  connectionDate: '2026-07-01T00:00:00.000Z',
  portType: 1,
  portTypeName: 'Port',
  rowCount: 1,
  rows: [{ id: portId, msisdn: '07700900123', pac: 'ABC123456', status: 1, statusName: 'PacValid' }],
  ...overrides,
});
