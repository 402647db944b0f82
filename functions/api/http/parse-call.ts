// Parses a request with the schemas of its route.
import type * as z from 'zod';
import type { BodyOf, PathOf, QueryOf, RouteShapes } from '#shared/api/contract.ts';
import { contract } from '#shared/api/contract.ts';
import type { RouteName } from '#shared/api/route-table.ts';
import { parseJson } from '#shared/domain/text/parse-json.ts';
import { ApiProblem, type FieldError } from './api-problem.ts';
import type { Caller } from './caller.ts';

export interface Call<Name extends RouteName> {
  readonly path: PathOf<Name>;
  readonly query: QueryOf<Name>;
  readonly body: BodyOf<Name>;
  readonly caller: Caller;
  /** The same for a repeat of the same write; empty for a request that changes nothing. */
  readonly writeId: string;
}

export interface Incoming {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The text of the body; undefined for a request without one. */
  readonly body: string | undefined;
  readonly caller: Caller;
  readonly writeId: string;
}

const fieldOf = (path: readonly PropertyKey[], part: string): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '') || part;

const maxErrors = 20;

function parsePart(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors: FieldError[] = parsed.error.issues
    .slice(0, maxErrors)
    .map(({ path, message }) => ({ field: fieldOf(path, part), message }));
  const [first] = errors;
  throw new ApiProblem('invalid-request', first ? `${first.field}: ${first.message}.` : `The ${part} is not valid.`, {
    errors,
  });
}

function readBody(text: string | undefined): unknown {
  const value = parseJson(text ?? '');
  if (value !== undefined) return value;
  throw new ApiProblem('invalid-request', 'The body is not JSON.', {
    errors: [{ field: 'body', message: 'expected JSON' }],
  });
}

/** A path that its schema does not know names nothing, so it is 404. */
function parsePath(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiProblem('not-found', 'The address names nothing that exists here.');
}

/** @throws ApiProblem */
export function parseCall<Name extends RouteName>(name: Name, incoming: Incoming): Call<Name> {
  const shapes: RouteShapes = contract[name];
  const { caller, writeId } = incoming;
  return {
    path: parsePath(shapes.path, incoming.path) as PathOf<Name>,
    query: parsePart(shapes.query?.strict(), incoming.query, 'query') as QueryOf<Name>,
    body: (shapes.body && parsePart(shapes.body, readBody(incoming.body), 'body')) as BodyOf<Name>,
    caller,
    writeId,
  };
}
