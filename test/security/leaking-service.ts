// The porting simulator behind a gateway that repeats everything it receives (tokens, credentials, PACs) in declined
// requests, invalid answers, errors and row messages. Its ports lack one of the rows.
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { ServiceAccess } from '#cli/local-pipeline/local-pipeline.ts';
import { serveOnLoopback } from '#local/http/loopback.ts';
import { startSimulator } from '#simulator/start-simulator.ts';

export interface LeakingService {
  readonly access: ServiceAccess;
  /** Every access token that was issued. */
  readonly tokens: readonly string[];
  /** The faults that occurred, by name. */
  readonly said: ReadonlySet<string>;
  close(): Promise<void>;
}

interface Call {
  readonly name: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
interface Reply {
  readonly status: number;
  readonly body: string;
}
type Trick = readonly [
  name: string,
  matches: (call: Call) => boolean,
  answer: (call: Call, pass: Pass) => Promise<Reply>,
];
type Pass = () => Promise<Reply>;

const createPort = 'POST /api/porting/1001';
const problem = (status: number, text: string): Reply => ({
  status,
  body: JSON.stringify({ message: `not accepted: ${text}`, errors: [{ field: 'rows[0].pac', message: text }] }),
});
const page = (status: number, text: string): Reply => ({
  status,
  body: `<html><body>Bad gateway: ${text}</body></html>`,
});
const toldAll = ({ headers, body }: Call): string => `${headers.authorization} ${body}`;
const pacIn = ({ body }: Call): string => /"pac":"([^"]+)"/i.exec(body)?.[1] ?? '';

/** Each fault occurs once. The tariff and the source network of a request select those of Create Port. */
const tricks: readonly Trick[] = [
  ['token: an error', ({ name }) => name === 'POST /connect/token', async (call) => page(500, call.body)],
  ['create: 401', ({ name }) => name === createPort, async (call) => problem(401, toldAll(call))],
  [
    'create: refused, repeating all of it',
    ({ name, body }) => name === createPort && body.includes('"tariffId":2002'),
    async (call) => problem(422, `${pacIn(call)} is not a code of this number; got ${toldAll(call)}`),
  ],
  [
    'create: an answer that makes no sense',
    ({ name, body }) => name === createPort && body.includes('"tariffId":2004'),
    async (call) => ({ status: 201, body: `accepted ${toldAll(call)}` }),
  ],
  [
    'create: an error after it was done',
    ({ name, body }) => name === createPort && body.includes('"sourceNetworkId":2'),
    async (call, pass) => {
      await pass();
      return page(502, toldAll(call));
    },
  ],
  [
    'update: an error after it was done',
    ({ name }) => name.startsWith('PATCH '),
    async (call, pass) => {
      await pass();
      return page(500, toldAll(call));
    },
  ],
];

const tokenAnswer = z.looseObject({ access_token: z.string() });
const rowsOf = z.looseObject({ rows: z.array(z.looseObject({ msisdn: z.string(), pac: z.string().optional() })) });

export async function startLeakingService(clientSecret: string, clock: () => number): Promise<LeakingService> {
  const client = { clientId: 'northwind-api', clientSecret, accountId: 1001 };
  const server = await startSimulator({ clients: [client], clock });
  const tokens: string[] = [];
  const said = new Set<string>();
  const pacs = new Map<string, string>();

  const serve = async (call: Call, pass: Pass): Promise<Reply> => {
    if (call.name === createPort) {
      for (const { msisdn, pac = '' } of rowsOf.parse(JSON.parse(call.body)).rows) pacs.set(msisdn, pac);
    }
    const trick = tricks.find(([name, matches]) => !said.has(name) && matches(call));
    if (trick !== undefined) {
      said.add(trick[0]);
      return trick[2](call, pass);
    }
    const reply = await pass();
    if (call.name === 'POST /connect/token') tokens.push(tokenAnswer.parse(JSON.parse(reply.body)).access_token);
    return call.name.startsWith('GET /api/porting/1001/port/') ? withMessages(reply, pacs) : reply;
  };

  const { url, close } = await serveOnLoopback((request, response) => {
    void handle(server.baseUrl, request, response, serve).catch(() => response.destroy());
  });
  return {
    access: { ...client, baseUrl: url, authUrl: url },
    tokens,
    said,
    close: async () => {
      await close();
      await server.stop();
    },
  };
}

/** Adds a message with the PAC to each row. The first of several rows is missing, so that action is required. */
function withMessages(reply: Reply, pacs: ReadonlyMap<string, string>): Reply {
  const port = rowsOf.safeParse(JSON.parse(reply.body));
  if (!port.success) return reply;
  const { rows: all } = port.data;
  const rows = all.slice(all.length > 1 ? 1 : 0).map((row) => ({
    ...row,
    message: `looked at ${pacs.get(row.msisdn)}, pac=${pacs.get(row.msisdn)}`,
  }));
  return { ...reply, body: JSON.stringify({ ...port.data, rowCount: rows.length, rows }) };
}

async function handle(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  serve: (call: Call, pass: Pass) => Promise<Reply>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { method = 'GET', url: path = '/', headers } = request;
  const pass = async (): Promise<Reply> => {
    const kept = ['authorization', 'content-type', 'x-pagenumber', 'x-pagesize'];
    const onward = Object.fromEntries(kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
    const answer = await fetch(`${target}${path}`, { method, headers: onward, body: body === '' ? null : body });
    return { status: answer.status, body: await answer.text() };
  };
  const reply = await serve({ name: `${method} ${path}`, headers, body }, pass);
  response.writeHead(reply.status, { 'content-type': 'application/json;charset=UTF-8' }).end(reply.body);
}
