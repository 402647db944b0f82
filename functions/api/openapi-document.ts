// The OpenAPI 3.1 document of the API, built from the schemas that parse its requests (docs/decisions/0016). It knows
// every endpoint, so it is loaded only when the document is asked for.
import { createDocument } from 'zod-openapi';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { type Json, paramsOf, pathsOf, placeOf, showWholeNumbers } from '#shared/api/endpoint.ts';
import { type ProblemCode, problemBody, problems, problemType } from '#shared/api/problem.ts';
import { type Description, type Endpoint, isWrite } from './http/endpoint.ts';
import { readEndpoints } from './read/endpoints.ts';
import { numberText } from './schemas.ts';
import { simulatorEndpoints } from './simulator.ts';
import { writeEndpoints } from './write/endpoints.ts';

const describeAll = <Name extends string>(endpoints: Readonly<Record<Name, Endpoint<never>>>) =>
  Object.fromEntries(
    Object.entries<Endpoint<never>>(endpoints).map(([name, { description }]) => [
      name,
      { ...description, ...placeOf(description.at) },
    ]),
  ) as Readonly<Record<Name, Description & ReturnType<typeof placeOf>>>;

/** By operation id. */
export const descriptions = describeAll({ ...readEndpoints, ...writeEndpoints });
export const simulatorDescriptions = describeAll(simulatorEndpoints);

const header = (name: string, required: boolean, description: string): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
});

function headerParameters(description: Description): Json[] {
  return [
    ...(isWrite(description)
      ? [header('Idempotency-Key', true, 'Unique to this write: a repeat has the same effect.')]
      : []),
    ...(description.etag
      ? [header('If-None-Match', false, 'The ETag of the last answer: 304 while nothing changed.')]
      : []),
  ];
}

function successOf({ status = 200, answer, files }: Description): Json {
  if (files !== undefined) {
    const content = Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }]));
    return { 200: { description: 'The file.', content } };
  }
  const content = answer && { 'application/json': { schema: answer } };
  return { [status]: { description: 'Success.', ...(content && { content }) } };
}

/** Problems of every endpoint. */
const everywhere: readonly ProblemCode[] = [
  'not-signed-in',
  'role-required',
  'answer-too-large',
  'too-many-requests',
  'internal-error',
];

function problemsOf(description: Description): ProblemCode[] {
  const { path, query, body } = description.accepts;
  const codes: ProblemCode[] = [...everywhere, ...(description.problems ?? [])];
  if (path ?? query ?? body) codes.push('invalid-request');
  if (path) codes.push('not-found');
  if (query && 'cursor' in query.shape) codes.push('invalid-cursor');
  if (body) codes.push('body-too-large', 'unsupported-content');
  if (isWrite(description)) codes.push('idempotency-key-required', 'idempotency-key-reused', 'request-in-progress');
  return codes;
}

/** The problems of an endpoint, by status: several codes can share a status. */
function problemResponses(codes: readonly ProblemCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
        content: { [problemType]: { schema: problemBody } },
      },
    ]),
  );
}

function operationOf(operationId: string, description: Description): Json {
  const { accepts, role, summary, etag } = description;
  const body = accepts.body && {
    required: true,
    content: { 'application/json': { schema: accepts.body } },
  };
  const notModified = etag && { 304: { description: 'Nothing changed since that ETag.' } };
  return {
    operationId,
    tags: [tagOf(description)],
    summary,
    description: `Role: ${role}.`,
    requestParams: paramsOf(description),
    parameters: headerParameters(description),
    ...(body && { requestBody: body }),
    responses: { ...successOf(description), ...notModified, ...problemResponses(problemsOf(description)) },
  };
}

/** The first folder of the path. */
const tagOf = ({ at }: Description): string => at.split('/')[1] ?? '';

/** `hasSimulator`: the API has the controls of a local simulator. */
export function openApiDocument({ hasSimulator }: { readonly hasSimulator: boolean }) {
  const all = Object.entries({ ...descriptions, ...(hasSimulator && simulatorDescriptions) });
  const named = all.map(([name, description]) => ({ name, ...description }));
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'simporter',
        version: '1.0.0',
        description: 'Bulk imports of mobile number ports: upload, approve, follow, correct.',
      },
      servers: [{ url: apiPrefix }],
      security: [{ bearer: [] }],
      tags: [...new Set(named.map(tagOf))].map((name) => ({ name })),
      paths: pathsOf(named, ({ name, ...description }) => operationOf(name, description)),
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
        schemas: { Problem: problemBody },
      },
    },
    { override: showWholeNumbers(numberText) },
  );
}
