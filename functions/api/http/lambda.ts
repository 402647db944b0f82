// The API on Lambda: an event of an HTTP API (payload format 2.0) becomes a Request, and the Response an answer. The
// JWT authorizer of API Gateway has verified the claims.
import * as z from 'zod';
import type { Api } from './app.ts';
import { ApiProblem, callerFromClaims, problemResponse } from './endpoint.ts';

const httpEvent = z.object({
  rawPath: z.string(),
  rawQueryString: z.string().default(''),
  headers: z.record(z.string(), z.string().optional()).default({}),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({
    domainName: z.string(),
    http: z.object({ method: z.string() }),
    authorizer: z.object({ jwt: z.object({ claims: z.record(z.string(), z.unknown()) }) }).optional(),
  }),
});
type HttpEvent = z.infer<typeof httpEvent>;

export interface LambdaAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The content of a binary file. */
  readonly isBase64Encoded: boolean;
}

/** An HTTP API has decoded the path: a `#` or `%` in it is a character of a name. */
const encodedPath = (rawPath: string): string => rawPath.split('/').map(encodeURIComponent).join('/');

/** undefined: it cannot be an HTTP request, as with a line break in a header. */
function requestOf({ rawPath, rawQueryString, headers, body, isBase64Encoded, requestContext }: HttpEvent) {
  const { domainName, http } = requestContext;
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`;
  const known = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const bytes = body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const hasBody = http.method !== 'GET' && http.method !== 'HEAD';
  try {
    return new Request(`https://${domainName}${encodedPath(rawPath)}${query}`, {
      method: http.method,
      headers: known,
      body: hasBody ? bytes : null,
    });
  } catch {
    return undefined;
  }
}

const unreadable: LambdaAnswer = {
  statusCode: 400,
  headers: { 'content-type': 'text/plain' },
  body: 'This is not an HTTP request.',
  isBase64Encoded: false,
};

const isText = (contentType: string): boolean => /^text\/|json/.test(contentType);

/** The longest answer, as JSON. In place of a longer one a caller would get an error of API Gateway. */
export const maxAnswerBytes = 6_291_556;

/** How many bytes a part of a JSON answer has in the answer of the function, which holds that JSON as a text. */
export const bytesInAnswer = (part: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(part)));

async function lambdaAnswerOf(response: Response): Promise<LambdaAnswer> {
  const isBase64Encoded = response.body !== null && !isText(response.headers.get('content-type') ?? '');
  // `text()` would remove the byte order mark of a CSV.
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: bytes.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
}

const tooLarge = new ApiProblem(
  'answer-too-large',
  'The answer has more than 6 MB, which cannot be sent. Ask for less, such as with a smaller limit.',
);

/** @throws ZodError for an event that no HTTP API sends */
export const createApiHandler =
  (api: Api) =>
  async (event: unknown): Promise<LambdaAnswer> => {
    const parsed = httpEvent.parse(event);
    const request = requestOf(parsed);
    if (request === undefined) return unreadable;
    const caller = callerFromClaims(parsed.requestContext.authorizer?.jwt.claims ?? {});
    const answer = await lambdaAnswerOf(await api.fetch(request, { caller }));
    return Buffer.byteLength(JSON.stringify(answer)) > maxAnswerBytes
      ? lambdaAnswerOf(problemResponse(tooLarge))
      : answer;
  };
