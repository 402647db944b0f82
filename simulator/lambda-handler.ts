// The simulator on Lambda: an HTTP API event (payload format 2.0) becomes a Request, and the Response an answer. A
// schedule may send {"advanceMs": N} instead, which advances the clock of every account.
import * as z from 'zod';
import { simulatorPath } from '#shared/service/service-texts.ts';
import { wireFaultHeader } from './controls/faults.ts';
import type { PortingSimulator } from './simulator.ts';

const httpEvent = z.object({
  rawPath: z.string(),
  rawQueryString: z.string().default(''),
  headers: z.record(z.string(), z.string().optional()).default({}),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({ domainName: z.string(), http: z.object({ method: z.string() }) }),
});
const clockEvent = z.object({ advanceMs: z.int().min(0) });

export interface LambdaResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Undefined if it cannot be an HTTP request, as with a line break in a header or an unknown method. */
function requestOf(event: z.infer<typeof httpEvent>): Request | undefined {
  const { method } = event.requestContext.http;
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const headers = Object.entries(event.headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const bytes = event.body === undefined ? null : Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  const body = method === 'GET' || method === 'HEAD' ? null : bytes;
  try {
    // An HTTP API has decoded the path.
    const path = event.rawPath.split('/').map(encodeURIComponent).join('/');
    return new Request(`https://${event.requestContext.domainName}${path}${query}`, { method, headers, body });
  } catch {
    return undefined;
  }
}

const unreadable: LambdaResponse = {
  statusCode: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'This is not an HTTP request.', errors: [] }),
};

/** Everybody who calls the deployed simulator can see by the address that it is one. */
const notHere: LambdaResponse = {
  statusCode: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: `The address of the porting simulator ends in ${simulatorPath}.`, errors: [] }),
};

/** A function has no socket: a reset is a failed invocation, and a truncated body has half the length. */
async function answerOf(response: Response): Promise<LambdaResponse> {
  const fault = response.headers.get(wireFaultHeader);
  if (fault === 'reset') throw new Error('The fault of a test: the connection is to be reset.');
  const body = await response.text();
  return {
    statusCode: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => name !== wireFaultHeader)),
    body: fault === 'truncated' ? body.slice(0, body.length / 2) : body,
  };
}

const answered = async (simulator: PortingSimulator, request: Request | undefined): Promise<LambdaResponse> =>
  request === undefined ? unreadable : answerOf(await simulator.fetch(request));

/** @throws ZodError for any other event */
export function createLambdaHandler(
  simulator: PortingSimulator,
): (event: unknown) => Promise<LambdaResponse | undefined> {
  return async (event) => {
    const scheduled = clockEvent.safeParse(event);
    if (!scheduled.success) {
      const request = httpEvent.parse(event);
      return request.rawPath.startsWith(`${simulatorPath}/`) ? answered(simulator, requestOf(request)) : notHere;
    }
    await simulator.advanceClock(scheduled.data.advanceMs);
    return undefined;
  };
}
