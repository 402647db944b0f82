// The porting simulator in this process, behind a network that loses, delays and truncates calls.
import { portingAccount, tokenOfPortName } from '#shared/text/identity.ts';
import type { Port } from '#simulator/ports/port.ts';
import { createSimulator } from '#simulator/simulator.ts';
import { createMemoryStore } from '#simulator/store/memory-store.ts';
import { type Holder, ownerKey, type Store, type Submission } from '#simulator/store/store.ts';
import type { Dice } from './dice.ts';
import type { CallFate } from './faults.ts';
import { createOffers, type Offers } from './offers.ts';
import type { ListHabits, PortList } from './port-list.ts';
import type { Timeline } from './timeline.ts';

export const accountId = 1001;
export const baseUrl = 'https://porting.example';
export const account = portingAccount({ accountId, baseUrl });
export const credentials = { clientId: 'simulated-client', clientSecret: 'simulated-secret-8f31' };

export interface NetworkOptions {
  readonly timeline: Timeline;
  readonly dice: Dice;
  /** How long a caller waits for an answer. */
  readonly timeoutMs: number;
  /** A call arrives at most this long after its time-out; shorter than the quiet period. */
  readonly lateMs: () => number;
  /** How long after a broken connection the service executes a call that is committed late. */
  readonly committedLateMs: () => number;
  /** How long a new port is missing in the list. */
  readonly listLagMs: () => number;
  /** The pages of the list as callers receive them. */
  readonly list: PortList;
  /** How much longer a page of the list takes than other calls. */
  readonly listPauseMs: () => number;
  readonly listHabits: ListHabits;
  /** The duration of a call and of its answer. */
  readonly latencyMs: () => number;
  /** The service accepts the same number twice, so that a second call creates a second port. */
  readonly takesTwice: boolean;
  /** Why the service declines a submission without naming a row. @default - it declines none */
  readonly declines?: ((body: unknown) => string | undefined) | undefined;
  /** Whether an answer that declines a submission names only the first of the SIMs that are wrong. @default false */
  readonly namesFirst?: boolean | undefined;
  /** Whether a submission takes effect at once: a gateway's second delivery is then declined. @default false */
  readonly actsAtOnce?: boolean | undefined;
  /**
   * Whether the first detail of a port that is complete or cancelled contradicts the list: it lacks some rows, or all.
   * Asked once for each port. @default never
   */
  readonly cutsEnd?: (() => boolean) | undefined;
  /** Called for each Create Port when it is sent. */
  readonly onCreate: (name: string) => void;
  /** Called for each submission when it is sent, if the service may process it. */
  readonly onSubmit?: (path: string, body: unknown) => void;
  /** Called for every token that is issued. */
  readonly onToken: (token: string) => void;
}

export interface Network {
  /** One call with its fault. */
  call(request: OutgoingCall, fate: CallFate): Promise<Response>;
  /** One call without faults, with a separate token; `portal` is how people call. */
  portal(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Every port of the service, as it is now. */
  ports(): readonly Port[];
  /** In the names of ports that the service creates hours after the call. */
  readonly lateTokens: ReadonlySet<string>;
  /** When people first cancelled ports in the portal, by the ids of the ports. */
  readonly cancelledByHand: ReadonlyMap<string, number>;
  /** When the service showed each port to simporter, by the ids of the ports. */
  readonly shownAt: ReadonlyMap<string, readonly number[]>;
  readonly listHabits: ListHabits;
  /** What of the catalogue changes. */
  readonly offers: Offers;
  /** When the last of the late ones is created; 0 without any. */
  lastLate(): number;
  /** Every submission that the service accepted; once where a gateway delivered it twice. */
  submissions(): Promise<readonly Submission[]>;
}

export interface OutgoingCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export function createNetwork(options: NetworkOptions): Network {
  const { timeline, dice, timeoutMs } = options;
  const ports: Port[] = [];
  const lateTokens = new Set<string>();
  const cancelledByHand = new Map<string, number>();
  const shownAt = new Map<string, number[]>();
  /** Tickets of calls that a gateway delivered once more: what they did counts once. */
  const repeated = new Set<string>();
  /** Ports whose end was shown. */
  const ended = new Set<string>();
  let lastLate = 0;
  const offers = createOffers(timeline.now);
  const store = observedStore(options, ports);
  const service = createSimulator({
    store,
    catalogue: offers.catalogue,
    clients: [{ ...credentials, accountId }],
    clock: timeline.now,
    wall: timeline.now,
    random: { uuid: dice.uuid },
  });

  const declineOf = ({ method, url, body }: OutgoingCall): string | undefined =>
    method === 'POST' && isSubmission(url) ? options.declines?.(JSON.parse(body ?? '{}')) : undefined;

  const serve = async (request: OutgoingCall): Promise<Answer> => {
    const { method, url, headers, body } = request;
    const message = declineOf(request);
    if (message !== undefined) return { status: 400, headers: jsonHeaders, text: JSON.stringify({ message }) };
    const response = await service.fetch(new Request(url, { method, headers, body }));
    const text = await response.text();
    const token = url.endsWith('/connect/token') ? /"access_token":"([^"]+)"/.exec(text)?.[1] : undefined;
    if (token !== undefined) options.onToken(token);
    const answer = { status: response.status, headers: response.headers, text };
    return options.namesFirst === true && isSubmission(url) ? withFirstError(answer) : answer;
  };

  /** A gateway delivers the call, and then delivers it again. */
  const serveTwice = async (request: OutgoingCall): Promise<Answer> => {
    const first = await serve(request);
    const second = await serve(request);
    if (first.status < 300 && second.status < 300) repeated.add(ticketOf(first));
    return second;
  };

  /** A reading of a port, as the caller gets it. */
  const serveDetail = async (request: OutgoingCall): Promise<Answer> => {
    const answer = await serve(request);
    const id = portIdOf(request);
    if (id === undefined || answer.status !== 200 || ended.has(id)) return answer;
    const detail = JSON.parse(answer.text) as { statusName: string; rows: object[] };
    if (!['Complete', 'Cancelled'].includes(detail.statusName)) return answer;
    ended.add(id);
    if (options.cutsEnd?.() !== true) return answer;
    const rows = detail.rows.length % 2 === 0 ? [] : detail.rows.slice(0, -1);
    return { ...answer, text: JSON.stringify({ ...detail, rows }) };
  };

  const notice = (request: OutgoingCall, fate: CallFate): void => {
    if (request.method === 'POST' && request.url === `${baseUrl}/api/porting/${accountId}`) {
      options.onCreate((JSON.parse(request.body ?? '{}') as { name: string }).name);
    }
    if (isSubmission(request.url) && !surelyNotDone.includes(fate) && declineOf(request) === undefined) {
      options.onSubmit?.(new URL(request.url).pathname, JSON.parse(request.body ?? '{}'));
    }
  };

  const noticeReading = ({ method, url }: OutgoingCall): void => {
    const portId = portIdOf({ method, url });
    if (portId !== undefined) shownAt.set(portId, [...(shownAt.get(portId) ?? []), timeline.now()]);
  };

  /** A clock of zero milliseconds does not advance, so nothing waits for it. */
  const pauseFor = async (milliseconds: number): Promise<void> => {
    if (milliseconds > 0) await timeline.wait(milliseconds);
  };
  const onItsWay = (): Promise<void> => pauseFor(options.latencyMs());

  /** Its access token has expired by then: it was accepted when the call arrived. */
  const commitHoursLater = ({ method, url, body }: OutgoingCall): void => {
    const sent = JSON.parse(body ?? '{}') as { readonly name: string };
    const at = timeline.now() + dice.between(1, 12) * 60 * 60_000;
    timeline.at(at, () => void portal(method, new URL(url).pathname, sent));
    lastLate = Math.max(lastLate, at);
    lateTokens.add(tokenOfPortName(sent.name) ?? '');
  };

  /** A call without any answer, which may be executed later. */
  const notAnswered = (fate: CallFate, request: OutgoingCall): Promise<never> | undefined => {
    const serveAfter = (milliseconds: number) => timeline.at(timeline.now() + milliseconds, () => void serve(request));
    if (fate === 'hang') serveAfter(timeoutMs + options.lateMs());
    if (fate === 'committed-late') serveAfter(options.committedLateMs());
    if (fate === 'committed-hours-later') commitHoursLater(request);
    if (fate === 'committed-late' || fate === 'committed-hours-later') return Promise.reject(reset());
    return fate === 'hang' || fate === 'lost' ? timedOut(timeline.wait(timeoutMs)) : undefined;
  };

  const call = async (request: OutgoingCall, fate: CallFate): Promise<Response> => {
    notice(request, fate);
    const unanswered = notAnswered(fate, request);
    if (unanswered !== undefined) return unanswered;
    const unserved = notServed(fate, request, dice);
    if (unserved !== undefined) return unserved;
    await onItsWay();
    // A service that accepts a number twice would create a second port that nobody asked for.
    if (fate === 'delivered-twice' && isPortChange(request) && !options.takesTwice) await serve(request);
    const answer = await answerTo(request, fate);
    noticeReading(request);
    await onItsWay();
    if (fate === 'gateway-page') return gatewayPage(dice);
    if (fate === 'wrong-id' && answer.status === 201) return wrongId(answer);
    return delivered(fate, answer);
  };

  const answerTo = (request: OutgoingCall, fate: CallFate): Promise<Answer> => {
    if (isListCall(request)) return serveList(request);
    return fate === 'delivered-twice' && isSubmission(request.url) ? serveTwice(request) : serveDetail(request);
  };

  /** The id of another port, or of none. */
  const wrongId = ({ status, headers, text }: Answer): Response => {
    const others = ports.map(({ id }) => id).filter((id) => !text.includes(id));
    return answered(status, JSON.stringify(dice.pick([dice.uuid(), ...others])), Object.fromEntries(headers));
  };

  const isListCall = ({ method, url }: OutgoingCall): boolean =>
    method === 'GET' && url === `${baseUrl}/api/porting/${accountId}`;

  /** simporter's ports fit on one page of the service, from which the list is built. */
  const serveList = async (request: OutgoingCall): Promise<Answer> => {
    const page = Number(request.headers['x-pagenumber']);
    const answer = await serve(
      page < 1 ? request : { ...request, headers: { ...request.headers, 'x-pagenumber': '1' } },
    );
    if (answer.status !== 200 || page < 1) return answer;
    await pauseFor(options.listPauseMs());
    const { data } = JSON.parse(answer.text) as { data: Parameters<PortList>[0] };
    return { ...answer, text: JSON.stringify(options.list(data, page, Number(request.headers['x-pagesize']))) };
  };

  const portal = async (method: string, path: string, body?: unknown) => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    });
    const token = await service.fetch(new Request(`${baseUrl}/connect/token`, { method: 'POST', body: form }));
    const { access_token } = (await token.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await service.fetch(new Request(`${baseUrl}${path}`, { method, headers, body: text }));
    const answer = await response.text();
    const portId = path.split('/').at(-1) ?? '';
    if (method === 'DELETE' && response.ok && !cancelledByHand.has(portId)) cancelledByHand.set(portId, timeline.now());
    return { status: response.status, body: answer === '' ? undefined : (JSON.parse(answer) as unknown) };
  };

  return {
    call,
    portal,
    ports: () => ports,
    lateTokens,
    cancelledByHand,
    shownAt,
    listHabits: options.listHabits,
    offers,
    lastLate: () => lastLate,
    submissions: async () =>
      (await store.submissions(accountId)).filter(({ ticketNumber }) => !repeated.has(ticketNumber)),
  };
}

const isSubmission = (url: string): boolean => /^\/api\/simSubmission/i.test(new URL(url).pathname);
const portIdOf = ({ method, url }: Pick<OutgoingCall, 'method' | 'url'>): string | undefined =>
  method === 'GET' ? /\/port\/([^/]+)$/.exec(url)?.[1] : undefined;
const ticketOf = ({ text }: Answer): string => (JSON.parse(text) as { ticketNumber: string }).ticketNumber;

/** The answer of a service that stops at the first SIM that it cannot take. */
function withFirstError(answer: Answer): Answer {
  if (answer.status < 400) return answer;
  const body = JSON.parse(answer.text) as { message?: string; errors?: { message: string }[] };
  const [first] = body.errors ?? [];
  if (first === undefined) return answer;
  return { ...answer, text: JSON.stringify({ ...body, message: first.message, errors: [first] }) };
}

const jsonHeaders = new Headers({ 'content-type': 'application/json' });

/** Create Port, Update Port or Cancel Port. */
const isPortChange = ({ method, url }: OutgoingCall): boolean =>
  method !== 'GET' && url.startsWith(`${baseUrl}/api/porting/`);

/** After these faults a caller knows that nothing was done, and may repeat the call. */
const surelyNotDone: readonly CallFate[] = ['unreachable', 'limited', 'unauthorised'];

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The part of a Response that the client reads. The last chunk of the body may fail. */
const responseOf = (status: number, headers: Headers, body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) =>
  ({ status, headers, body }) as unknown as Response;

const answered = (status: number, text: string, headers: Record<string, string> = {}) =>
  responseOf(status, new Headers(headers), [Buffer.from(text)]);

const reset = () => new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });

async function timedOut(waiting: Promise<void>): Promise<never> {
  await waiting;
  throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
}

const gatewayPage = (dice: Dice): Response =>
  answered(dice.pick([400, 403, 404, 413]), '<html><h1>Request blocked</h1></html>', { 'content-type': 'text/html' });

/** The answer or error of a call that the service never receives. */
function notServed(fate: CallFate, { url }: OutgoingCall, dice: Dice): Response | undefined {
  switch (fate) {
    case 'unreachable':
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('declined'), { code: 'ECONNREFUSED', syscall: 'connect' }),
      });
    case 'error-before':
      return answered(dice.pick([500, 502, 503, 504]), 'try again');
    case 'gateway-page-before':
      return gatewayPage(dice);
    case 'limited':
      return answered(429, '', { 'retry-after': dice.pick(['1', '30', '90000', 'soon', '']) });
    case 'unauthorised':
      return url.endsWith('/connect/token') ? answered(400, '{"error":"invalid_client"}') : answered(401, '');
    default:
      return undefined;
  }
}

/** What the caller receives of an answer. */
function delivered(fate: CallFate, { status, headers, text }: Answer): Response {
  switch (fate) {
    case 'reset':
      throw reset();
    case 'error':
      return answered(502, 'bad gateway');
    case 'truncated':
      return responseOf(status, headers, cut(Buffer.from(text)));
    case 'web-page':
      return answered(status, '<html>Signed in.</html>');
    default:
      return responseOf(status, headers, [Buffer.from(text)]);
  }
}

async function* cut(body: Buffer): AsyncIterable<Uint8Array> {
  yield body.subarray(0, Math.floor(body.length / 2));
  throw reset();
}

/** A store whose list may lag, which shows every port to the simulation, and may free numbers. */
function observedStore({ timeline, listLagMs, takesTwice, actsAtOnce }: NetworkOptions, ports: Port[]): Store {
  const store = createMemoryStore();
  const createdAt = new Map<string, number>();
  return {
    ...store,
    insertPort: async (insert) => {
      const held: ReadonlyMap<string, Holder> = takesTwice
        ? await store.holders(insert.port.rows.map(({ number }) => number))
        : new Map();
      const released = takesTwice
        ? new Map([...held].map(([number, { owner }]) => [number, ownerKey(owner)]))
        : insert.released;
      const taken = await store.insertPort({ ...insert, released });
      if (taken.length > 0) return taken;
      createdAt.set(insert.port.id, timeline.now());
      ports.push(insert.port);
      return taken;
    },
    savePort: async (port) => {
      const saved = await store.savePort(port);
      const place = ports.findIndex(({ id }) => id === port.id);
      if (saved) ports[place] = port;
      return saved;
    },
    addSubmission: async (insert) => {
      const { createdAt: at } = insert.submission;
      const simEvents = actsAtOnce ? insert.simEvents.map((event) => ({ ...event, at })) : insert.simEvents;
      return store.addSubmission({ ...insert, simEvents });
    },
    holders: async (numbers) => (takesTwice ? new Map() : store.holders(numbers)),
    ports: async (account, offset, limit) => {
      const { ports: all } = await store.ports(account, 0, Number.MAX_SAFE_INTEGER);
      const shown = all.filter(({ id }) => (createdAt.get(id) ?? 0) + listLagMs() <= timeline.now());
      return { total: shown.length, ports: shown.slice(offset, offset + limit) };
    },
  };
}
