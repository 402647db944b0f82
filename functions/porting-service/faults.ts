// Applies a fault to a request. What must happen on the wire itself (a reset, a cut body) is asked of the server by a
// header that never leaves it.
import { setTimeout as pause } from 'node:timers/promises';
import { Problem, problemResponse } from './problem.ts';
import type { FaultEffect, Sandbox } from './sandbox.ts';

export const wireFaultHeader = 'x-sandbox-wire-fault';
export type WireFault = 'reset' | 'truncated';

const onTheWire = (fault: WireFault, response: Response): Response => {
  const headers = new Headers(response.headers);
  headers.set(wireFaultHeader, fault);
  return new Response(response.body, { status: response.status, headers });
};

const failure = (status: number): Response => problemResponse(new Problem(status, 'A fault of the sandbox.'));

const rateLimited = (retryAfter: string): Response => {
  const response = failure(429);
  response.headers.set('retry-after', retryAfter);
  return response;
};

async function suffer(fault: FaultEffect, serve: () => Promise<Response>): Promise<Response> {
  switch (fault.kind) {
    case 'latency':
      // Unreferenced: a request that hangs must not keep a closed server alive.
      await pause(fault.milliseconds, undefined, { ref: false });
      return serve();
    case 'rate-limited':
      return rateLimited(fault.retryAfter);
    case 'expired-token':
      return problemResponse(new Problem(401, 'A valid bearer token is required.'));
    case 'error':
      if (fault.when === 'after') await serve();
      return failure(fault.status);
    case 'reset':
      return onTheWire('reset', fault.when === 'after' ? await serve() : failure(500));
    case 'truncated':
      return onTheWire('truncated', await serve());
    default:
      return serve();
  }
}

/** How far List Ports is off because of a fault: the first `hidden` ports are not shown yet, pages begin `shift` later. */
export interface ListFault {
  readonly hidden: number;
  readonly shift: number;
}

export const truthfulList: ListFault = { hidden: 0, shift: 0 };

const listFault = (fault: FaultEffect | null): ListFault => ({
  hidden: fault?.kind === 'list-lag' ? fault.ports : 0,
  shift: fault?.kind === 'page-shift' ? fault.ports : 0,
});

/** Serves a request as the sandbox's plan has it; without a sandbox, as it is. */
export async function withFaults(
  sandbox: Sandbox | undefined,
  endpoint: string,
  serve: (list: ListFault) => Promise<Response>,
): Promise<Response> {
  if (sandbox === undefined) return serve(truthfulList);
  await sandbox.refresh();
  const fault = await sandbox.roll(endpoint);
  const serveList = () => serve(listFault(fault));
  return fault === null ? serveList() : suffer(fault, serveList);
}
