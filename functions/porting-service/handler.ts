// The service on Lambda: an HTTP API event (payload format 2.0) becomes a Request, the Response goes back. A schedule may
// send {"advanceMs": N} instead, which moves the sandbox's clock.
import * as z from 'zod';
import type { Service } from './app.ts';
import { wireFaultHeader } from './faults.ts';

const httpEvent = z.object({
  rawPath: z.string(),
  rawQueryString: z.string().default(''),
  headers: z.record(z.string(), z.string().optional()).default({}),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({ domainName: z.string(), http: z.object({ method: z.string() }) }),
});
const clockEvent = z.object({ advanceMs: z.int().min(0) });

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** undefined for what no HTTP request can be: a header with a line break, a method that is none. */
function requestOf(event: z.infer<typeof httpEvent>): Request | undefined {
  const { method } = event.requestContext.http;
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const headers = Object.entries(event.headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const bytes = event.body === undefined ? null : Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  const body = method === 'GET' || method === 'HEAD' ? null : bytes;
  try {
    return new Request(`https://${event.requestContext.domainName}${event.rawPath}${query}`, { method, headers, body });
  } catch {
    return undefined;
  }
}

const unreadable: HttpAnswer = {
  statusCode: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'This is not an HTTP request.', errors: [] }),
};

/** There is no socket to play with here: a reset is a failed invocation, a cut body is half of one. */
async function answerOf(response: Response): Promise<HttpAnswer> {
  const fault = response.headers.get(wireFaultHeader);
  if (fault === 'reset') throw new Error('A fault of the sandbox: the connection is to be reset.');
  const body = await response.text();
  return {
    statusCode: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => name !== wireFaultHeader)),
    body: fault === 'truncated' ? body.slice(0, body.length / 2) : body,
  };
}

const answered = async (service: Service, request: Request | undefined): Promise<HttpAnswer> =>
  request === undefined ? unreadable : answerOf(await service.fetch(request));

/** @throws ZodError for an event that is neither */
export function createHandler(service: Service): (event: unknown) => Promise<HttpAnswer | undefined> {
  return async (event) => {
    const scheduled = clockEvent.safeParse(event);
    if (!scheduled.success) return answered(service, requestOf(httpEvent.parse(event)));
    await service.advanceClock(scheduled.data.advanceMs);
    return undefined;
  };
}
