// Faults that a test asks for: what the service, the network or a gateway between does to a request.
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Problem } from '../http/problem.ts';
import { fullList, type ListView } from '../http/route.ts';

const when = z.enum(['before', 'after']).meta({ description: 'Before or after the request is carried out.' });
const milliseconds = z.int().min(0);
const total = z.enum(['all', 'shown']).meta({ description: 'Whether `total` counts the ports that are not shown.' });

const effectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('latency'), milliseconds }),
  z.object({ kind: z.literal('rate-limited'), retryAfter: z.string().default('1') }),
  z.object({ kind: z.literal('error'), status: z.int().min(500).max(599).default(500), when }),
  z.object({ kind: z.literal('reset'), when }),
  z.object({ kind: z.literal('truncated') }),
  z.object({ kind: z.literal('expired-token') }),
  z.object({ kind: z.literal('delivered-twice') }),
  z.object({ kind: z.literal('committed-late'), milliseconds }),
  z.object({ kind: z.literal('gateway-page'), status: z.int().min(400).max(599), when }),
  z.object({ kind: z.literal('wrong-port-id'), portId: z.guid().optional() }),
  z.object({ kind: z.literal('list-lag'), ports: z.int().min(1).default(1), total: total.optional() }),
  z.object({ kind: z.literal('list-delay'), milliseconds, total: total.optional() }),
  z.object({ kind: z.literal('empty-list') }),
  z.object({ kind: z.literal('page-shift'), ports: z.int().default(1) }),
]);

export const faultSchema = z.object({
  endpoint: z
    .string()
    .default('*')
    .meta({ description: 'An operationId of the OpenAPI document, `token`, or `*` for every endpoint.' }),
  rate: z.number().min(0).max(1).default(1).meta({ description: 'The share of the requests that are hit.' }),
  times: z.int().min(1).optional().meta({ description: 'The fault ends after so many hits.' }),
  does: effectSchema,
});
export type Fault = z.infer<typeof faultSchema>;
export type FaultEffect = Fault['does'];

export const faultPlanSchema = z.object({
  seed: z.int().default(1).meta({ description: 'The same seed and the same requests give the same hits.' }),
  faults: z.array(faultSchema),
});
export type FaultPlan = z.infer<typeof faultPlanSchema>;

/** Asks the server to break the connection. The header never leaves the server. */
export const wireFaultHeader = 'x-simulator-wire-fault';
type WireFault = 'reset' | 'truncated';

/** A request that a fault may hit. */
export interface FaultyRequest {
  /** Carries the request out. An error is a response too. */
  readonly serve: (list: ListView) => Promise<Response>;
  /** Carries the request out once the account's clock has advanced so far. */
  readonly serveLater: (milliseconds: number) => Promise<void>;
  readonly answerProblem: (problem: Problem) => Response;
  readonly newId: () => string;
}

const withWireFault = (fault: WireFault, response: Response): Response => {
  const headers = new Headers(response.headers);
  headers.set(wireFaultHeader, fault);
  return new Response(response.body, { status: response.status, headers });
};

const gatewayPage = (status: number): Response =>
  new Response(`<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>`, {
    status,
    headers: { 'content-type': 'text/html' },
  });

function rateLimited(retryAfter: string, { answerProblem }: FaultyRequest): Response {
  const response = answerProblem(new Problem(429, 'Too many requests.'));
  response.headers.set('retry-after', retryAfter);
  return response;
}

async function withWrongId(response: Response, portId: string): Promise<Response> {
  if (response.status !== 201) return response;
  return Response.json(portId, { status: 201, headers: response.headers });
}

function listViewOf(fault: FaultEffect): ListView {
  switch (fault.kind) {
    case 'list-lag':
      return { ...fullList, hiddenPorts: fault.ports, total: fault.total ?? 'all' };
    case 'list-delay':
      return { ...fullList, hiddenMs: fault.milliseconds, total: fault.total ?? 'shown' };
    case 'empty-list':
      return { ...fullList, isEmpty: true };
    case 'page-shift':
      return { ...fullList, shift: fault.ports };
    default:
      return fullList;
  }
}

/** A fault that hides the answer: the request is carried out first, or not at all. */
async function hideAnswer(side: 'before' | 'after', request: FaultyRequest, answer: Response): Promise<Response> {
  if (side === 'after') await request.serve(fullList);
  return answer;
}

/** Serves a request that a fault hits. */
export async function serveWithFault(fault: FaultEffect, request: FaultyRequest): Promise<Response> {
  const { serve, answerProblem } = request;
  const failure = (status: number): Response => answerProblem(new Problem(status, 'The fault of a test.'));
  switch (fault.kind) {
    case 'latency':
      // Unreferenced: a request that waits must not keep a stopped server alive.
      await pause(fault.milliseconds, undefined, { ref: false });
      return serve(fullList);
    case 'rate-limited':
      return rateLimited(fault.retryAfter, request);
    case 'expired-token':
      return answerProblem(new Problem(401, 'A valid bearer token is required.'));
    case 'error':
      return hideAnswer(fault.when, request, failure(fault.status));
    case 'reset':
      return hideAnswer(fault.when, request, withWireFault('reset', failure(500)));
    case 'gateway-page':
      return hideAnswer(fault.when, request, gatewayPage(fault.status));
    case 'truncated':
      return withWireFault('truncated', await serve(fullList));
    case 'delivered-twice':
      await serve(fullList);
      return serve(fullList);
    case 'committed-late':
      await request.serveLater(fault.milliseconds);
      return withWireFault('reset', failure(500));
    case 'wrong-port-id':
      return withWrongId(await serve(fullList), fault.portId ?? request.newId());
    default:
      return serve(listViewOf(fault));
  }
}
