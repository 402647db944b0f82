// The OpenAPI 3.1 document of the API, built from the schemas that parse its requests (docs/decisions/0021).
import * as z from 'zod';
import { contract, type RouteShapes } from '#shared/api/contract.ts';
import { type ProblemCode, problemBody, problems, problemType } from '#shared/api/problem.ts';
import { apiPrefix, isWrite, type Route, type RouteName, routes } from '#shared/api/route-table.ts';
import { numberText } from '#shared/api/schemas/path.ts';
import { routeProblems } from './route-problems.ts';

type Json = Readonly<Record<string, unknown>>;

/** Of what the server takes (`input`), or of what it answers (`output`). */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    // A transformed text is described by the text.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: described }) => {
      if ((zodSchema as unknown) !== numberText) return;
      delete described.pattern;
      described.type = 'integer';
      described.minimum = 0;
    },
  });
  return rest as Json;
}

function parametersIn(place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: jsonSchema(field as z.ZodType, 'input'),
  }));
}

const header = (name: string, required: boolean, description: string): Json => ({
  ...{ name, in: 'header', required, description },
  schema: { type: 'string', minLength: 1, maxLength: 200 },
});

function headerParameters(route: Route, { etag }: RouteShapes): Json[] {
  return [
    ...(isWrite(route) ? [header('Idempotency-Key', true, 'Unique to this write: a repeat has the same effect.')] : []),
    ...(etag ? [header('If-None-Match', false, 'The ETag of the last answer: 304 while nothing changed.')] : []),
  ];
}

function successOf({ status = 200, answer, files }: RouteShapes): Json {
  if (files !== undefined) {
    const content = Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }]));
    return { 200: { description: 'The file.', content } };
  }
  const content = answer && { 'application/json': { schema: jsonSchema(answer, 'output') } };
  return { [status]: { description: 'Success.', ...(content && { content }) } };
}

/** The problems of a route, by status: several codes can share a status. */
function problemResponses(codes: readonly ProblemCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
        content: { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function operationOf(name: RouteName): Json {
  const route: Route = routes[name];
  const shapes: RouteShapes = contract[name];
  const body = shapes.body && {
    required: true,
    content: { 'application/json': { schema: jsonSchema(shapes.body, 'input') } },
  };
  const notModified = shapes.etag && { 304: { description: 'Nothing changed since that ETag.' } };
  return {
    operationId: name,
    tags: [tagOf(route)],
    summary: route.summary,
    description: `Role: ${route.role}.`,
    parameters: [
      ...parametersIn('path', shapes.path),
      ...parametersIn('query', shapes.query),
      ...headerParameters(route, shapes),
    ],
    ...(body && { requestBody: body }),
    responses: { ...successOf(shapes), ...notModified, ...problemResponses(routeProblems(name)) },
  };
}

/** The first folder of the path. */
const tagOf = ({ path }: Route): string => path.split('/')[1] ?? '';

/** @param names the routes that this environment has */
export function openApiDocument(names: readonly RouteName[]) {
  const paths: Record<string, Record<string, Json>> = {};
  for (const name of names) {
    const { path, method }: Route = routes[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(name) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'simporter',
      version: '1.0.0',
      description: 'Bulk imports of mobile number ports: upload, approve, follow, correct.',
    },
    servers: [{ url: apiPrefix }],
    security: [{ bearer: [] }],
    tags: [...new Set(names.map((name) => tagOf(routes[name])))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: jsonSchema(problemBody, 'output') },
    },
  };
}
