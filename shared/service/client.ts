// The service as typed methods, one for each call of the spec. A GET is repeated as retry-policy.ts decides. Every
// other call is sent once: only the caller, who keeps the ledger, may send it again (spec gap 43).
import * as z from 'zod/mini';
import type { Clock } from '#shared/runtime/clock.ts';
import { guid } from '#shared/text/identity.ts';
import { truncate } from '#shared/text/wording.ts';
import { type CallName, nameOfCall, type Reply, unreadable } from './classify-response.ts';
import {
  type BoltOn,
  type BundleSize,
  boltOn,
  bundleSize,
  type Company,
  type CreatePortBody,
  company,
  createPortBody,
  type IpGroup,
  ipGroup,
  type PortDetail,
  type PortingNetworkType,
  type PortList,
  type ProvisioningOrder,
  type ProvisioningTemplate,
  portDetail,
  portingNetworks,
  portList,
  provisioningOrder,
  provisioningTemplate,
  type ServiceGroup,
  type SubmissionPath,
  serviceGroup,
  submissionBodies,
  submissionTicket,
  type Tariff,
  tariff,
  type UpdatePortBody,
  updatePortBody,
} from './contract.ts';
import { Conflict, Rejected } from './errors.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createRepeat, type RetryPolicy } from './retry-policy.ts';
import { type CredentialsSource, createSender, rateLimitedSender } from './sender.ts';
import { listWithoutCodes, portWithoutCodes } from './service-texts.ts';

export interface PortingClientSettings {
  /** `https://…`, or `http://` on a loopback host. */
  readonly baseUrl: string;
  /** The same rule. The token call goes to `{authUrl}/connect/token`. */
  readonly authUrl: string;
  readonly accountId: number;
  readonly credentials: CredentialsSource;
  /** Milliseconds of one attempt from connect to the last byte. @default 20 000 */
  readonly timeoutMs?: number;
  /** How a GET is repeated. @default 4 attempts within 30 s */
  readonly retry?: RetryPolicy;
  /** Limits all calls except token calls. @default none */
  readonly rateLimiter?: RateLimiter;
  readonly fetch?: typeof fetch;
  /** @default wall time */
  readonly clock?: Clock;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** Every method rejects only with a `PortingFailure` of errors.ts. */
export interface PortingClient {
  /** Resolves unless calls are deferred now. Rejects with `CallDeferred`. */
  throwIfDeferred(): Promise<void>;
  /** Resolves when a call may be made at once: await it before the attempt is recorded. Rejects with `CallDeferred`. */
  ready(): Promise<void>;
  networks(): Promise<PortingNetworkType[]>;
  /** One page, counted from 1 (spec gap 32); at most 50 ports. */
  listPorts(page: number, pageSize?: number): Promise<PortList>;
  /** Rejects with `NotFound` for a port that the service does not know. */
  port(portId: string): Promise<PortDetail>;
  /** The id of the new port. One attempt; a 2xx without an id is `Ambiguous` (spec gap 26). */
  createPort(body: CreatePortBody): Promise<string>;
  /** Accepted, not done: read the port back. One attempt. */
  updatePort(portId: string, body: UpdatePortBody): Promise<void>;
  /** Accepted, not done: read the port back. One attempt. */
  cancelPort(portId: string): Promise<void>;
  /** `not-available` on a Type-B network, which answers 409 (spec gap 5). */
  provisioningOrders(networkNumber: number): Promise<ProvisioningOrder[] | 'not-available'>;
  tariffs(networkNumber: number): Promise<TariffList>;
  boltOns(tariffNumber: number): Promise<BoltOn[]>;
  networkServices(networkNumber: number, tariffNumber?: number): Promise<ServiceGroup[]>;
  simServices(serialNumber: string): Promise<ServiceGroup[]>;
  publicIpGroups(networkNumber: number): Promise<IpGroup[]>;
  staticIpGroups(networkNumber: number): Promise<IpGroup[]>;
  bundleSizes(networkNumber: number): Promise<BundleSize[]>;
  provisioningTemplates(networkNumber: number): Promise<ProvisioningTemplate[]>;
  companies(): Promise<Company[]>;
  /** The ticket. One attempt; a 2xx without a ticket is `Ambiguous` (spec gap 34). */
  submit(path: SubmissionPath, body: unknown): Promise<string>;
}

export interface TariffList {
  readonly tariffs: Tariff[];
  /** Whether the network has tariff attributes: the shape of the answer shows it (spec gaps 3 and 5). */
  readonly hasAttributes: boolean;
}

/** @throws TypeError for a base or auth address that is neither https nor loopback */
export function createPortingClient(settings: PortingClientSettings): PortingClient {
  const repeat = createRepeat(settings);
  const account = `/api/account/${settings.accountId}`;
  const porting = `/api/porting/${settings.accountId}`;
  const networks = { method: 'GET', path: `${porting}/networks` } as const;
  const limited = rateLimitedSender(createSender(settings), settings.rateLimiter, networks);
  const { send: sender, throwIfDeferred, ready } = limited;
  const portPath = (portId: string) => `${porting}/port/${encodeURIComponent(portId)}`;

  const get = <Schema extends z.ZodMiniType>(path: string, schema: Schema, headers?: Record<string, string>) =>
    repeat(async () => parsed(await sender({ method: 'GET', path, headers }), schema));
  const send = async (method: 'POST' | 'PATCH', path: string, schema: z.ZodMiniType, body: unknown) =>
    sender({ method, path, body: checkedBody({ method, path }, schema, body) });
  const list = <Item extends z.ZodMiniType>(path: string, item: Item) => get(path, listOf(item));

  return {
    throwIfDeferred,
    ready,
    networks: () => get(networks.path, portingNetworks),
    listPorts: async (page, pageSize = 50) =>
      listWithoutCodes(await get(porting, portList, { 'x-pagenumber': String(page), 'x-pagesize': String(pageSize) })),
    port: async (portId) => portWithoutCodes(await get(portPath(portId), portDetail)),

    createPort: async (body) => portIdIn(await send('POST', porting, createPortBody, body)),
    updatePort: async (portId, body) => {
      await send('PATCH', portPath(portId), updatePortBody, body);
    },
    cancelPort: async (portId) => {
      await sender({ method: 'DELETE', path: portPath(portId) });
    },

    provisioningOrders: (networkNumber) =>
      list(`${account}/network/${networkNumber}/provisioningOrder`, provisioningOrder).catch(notAvailable),
    tariffs: (networkNumber) => get(`${account}/network/${networkNumber}/tariff`, tariffList),
    boltOns: (tariffNumber) => list(`${account}/tariff/${tariffNumber}/boltons`, boltOn),
    networkServices: (networkNumber, tariffNumber) =>
      list(
        `/api/network/${networkNumber}/services${tariffNumber === undefined ? '' : `?tariffNo=${tariffNumber}`}`,
        serviceGroup,
      ),
    simServices: (serialNumber) => list(`/api/sim/${encodeURIComponent(serialNumber)}/services`, serviceGroup),
    publicIpGroups: (networkNumber) => list(`${account}/PublicIpGroups/${networkNumber}`, ipGroup),
    staticIpGroups: (networkNumber) => list(`${account}/StaticIpGroups/${networkNumber}`, ipGroup),
    bundleSizes: (networkNumber) => list(`/api/network/${networkNumber}/bundleTopup`, bundleSize),
    provisioningTemplates: (networkNumber) =>
      list(`${account}/provisioningTemplates?networkId=${networkNumber}`, provisioningTemplate),
    companies: () => list('/api/company', company),

    submit: async (path, body) => ticketIn(await send('POST', path, submissionBodies[path], body)),
  };
}

/** The provisioning-order lookup answers 409 on a Type-B network (spec, Errors). */
function notAvailable(error: unknown): 'not-available' {
  if (error instanceof Conflict) return 'not-available';
  throw error;
}

/** The body with exactly the fields of the contract. @throws Rejected without a status: nothing was sent */
export function checkedBody(name: CallName, schema: z.ZodMiniType, body: unknown): unknown {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const fieldErrors = result.error.issues.map(({ path, message }) => ({ field: path.map(String).join('.'), message }));
  const [first] = fieldErrors;
  const message = `not sent: the field ${first?.field} is invalid: ${first?.message}`;
  throw new Rejected({ message, fieldErrors, msisdns: [] }, { call: nameOfCall(name), cause: result.error });
}

/** Accepts every wrapping of a list of `item` and returns an array. */
export const listOf = <Item extends z.ZodMiniType>(item: Item) => z.pipe(z.transform(unwrap), z.array(item));

function unwrap(answer: unknown): unknown {
  if (answer === null || answer === undefined) return [];
  if (Array.isArray(answer)) return answer;
  return isWrapped(answer) ? unwrap(answer.result) : [answer];
}

const isWrapped = (answer: unknown): answer is { result: unknown } =>
  typeof answer === 'object' && answer !== null && 'result' in answer;

/** Tariffs. A Type-B network has no tariff attributes: it answers `{result}` with null attributes (spec gap 5). */
export const tariffList = z.pipe(
  z.transform((answer) => ({ wrapped: isWrapped(answer), tariffs: answer })),
  z.pipe(
    z.object({ wrapped: z.boolean(), tariffs: listOf(tariff) }),
    z.transform(({ wrapped, tariffs }) => ({
      tariffs,
      hasAttributes: !(wrapped && tariffs.every((each) => each.configurationAttributes === null)),
    })),
  ),
);

/** @throws ContractBroken (GET) or Ambiguous when the text is not JSON of `schema`. */
export function parsed<Schema extends z.ZodMiniType>(reply: Reply, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(jsonIn(reply));
  if (result.success) return result.data;
  throw unreadable(reply, `it breaks the contract: ${truncate(z.prettifyError(result.error), 500)}`, result.error);
}

function jsonIn(reply: Reply): unknown {
  try {
    return JSON.parse(reply.answer.text);
  } catch {
    // The message of JSON.parse quotes the text, which may hold a PAC.
    throw unreadable(reply, 'it is not JSON');
  }
}

/** The id of a created port: a guid with or without quotes. @throws Ambiguous for anything else (spec gap 26) */
export function portIdIn(reply: Reply): string {
  const text = reply.answer.text.trim();
  const id = text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
  if (!guid.test(id)) throw unreadable(reply, 'it has no port id');
  return id;
}

/** The ticket of a submission. @throws Ambiguous where there is none (spec gap 34) */
export const ticketIn = (reply: Reply): string => parsed(reply, submissionTicket).ticketNumber;
