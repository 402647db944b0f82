// What an endpoint takes, as data: the router, the types of its handler and its parameters in OpenAPI follow from it.
// Both products describe their endpoints with it, and it knows neither.
import * as z from 'zod';

type Schema = z.core.$ZodType;

/** What a request may carry, by part. A part without a schema is not read. */
export interface Inputs {
  readonly path?: Schema | undefined;
  readonly query?: Schema | undefined;
  readonly headers?: Schema | undefined;
  readonly body?: Schema | undefined;
}

/** Where an endpoint is, and what it takes. */
export interface Address {
  /** Method and path. `{name}` is one segment. Case counts. */
  readonly at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;
  readonly summary: string;
  readonly accepts: Inputs;
  /** A request that succeeds, by part; the examples of the document. */
  readonly example?: { readonly [Part in keyof Inputs]?: unknown };
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined;

export interface ParsedInputs<I extends Inputs> {
  readonly path: Parsed<I['path']>;
  readonly query: Parsed<I['query']>;
  readonly headers: Parsed<I['headers']>;
  readonly body: Parsed<I['body']>;
}

export interface Finding {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A request before it is parsed. */
export interface IncomingParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  /** Reads the body; called only where the endpoint takes one. */
  readonly body: () => unknown;
  /** What is thrown for a part that does not have the documented form. */
  readonly problemOf: (findings: readonly Finding[], part: keyof Inputs) => Error;
}

/** `path` is `/imports/{importId}` in the document, `routerPath` is `/imports/:importId` for Hono. */
export function placeOf(at: string) {
  const [method = '', path = ''] = at.split(' ');
  return { method, path, routerPath: path.replace(/\{(\w+)\}/g, ':$1') };
}

/** @throws what `problemOf` makes, of the first part that does not have the documented form */
export async function parseInputs<I extends Inputs>(accepts: I, incoming: IncomingParts): Promise<ParsedInputs<I>> {
  const parse = (part: keyof Inputs, value: unknown): unknown => {
    const schema = accepts[part];
    if (schema === undefined) return undefined;
    const result = safeParse(schema, value);
    if (result.success) return result.data;
    throw incoming.problemOf(result.error.issues, part);
  };
  const headers = Object.fromEntries(fieldsOf(accepts.headers).map(([name]) => [name, incoming.header(name)]));
  return {
    path: parse('path', incoming.path),
    query: parse('query', incoming.query),
    headers: parse('headers', headers),
    body: accepts.body && parse('body', await incoming.body()),
  } as ParsedInputs<I>;
}

function safeParse(schema: Schema, value: unknown) {
  try {
    return z.safeParse(schema, value);
  } catch {
    // A length check reads `length` of whatever it gets, and an object there has no number to compare.
    return z.safeParse(schema, withoutLengths(value));
  }
}

function withoutLengths(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLengths);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'length');
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutLengths(inner)]));
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');

/** Each finding with its place in the request, such as `rows[3].msisdn`, or the part where it is about all of it. */
export const fieldErrors = (findings: readonly Finding[], part: string) =>
  findings.map(({ path, message }) => ({ field: fieldOf(path) || part, message }));

/** A whole number in a path, a query or a header. */
export const wholeNumberText = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), 'expected a whole number')
    .transform(Number);

export type Json = Readonly<Record<string, unknown>>;

/** For `z.toJSONSchema`: paths and headers carry text; the document shows the whole numbers that it stands for. */
export const showWholeNumbers =
  (numberText: Schema) =>
  ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
    if (zodSchema !== numberText) return;
    delete jsonSchema.pattern;
    jsonSchema.type = 'integer';
    jsonSchema.minimum = 0;
  };

/** The fields of a schema, of zod or of zod/mini. */
export const fieldsOf = (schema: Schema | undefined): [string, Schema][] =>
  Object.entries((schema?._zod.def as { shape?: Readonly<Record<string, Schema>> } | undefined)?.shape ?? {});

/** The parameters of an operation, for zod-openapi. */
export const paramsOf = ({ accepts }: Address) => ({
  ...(accepts.path && { path: accepts.path }),
  ...(accepts.query && { query: accepts.query }),
  ...(accepts.headers && { header: accepts.headers }),
});

/** The paths of a document: the operations of each path by method. */
export function pathsOf<E extends Address>(endpoints: readonly E[], operationOf: (endpoint: E) => Json) {
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const { method, path } = placeOf(endpoint.at);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint) };
  }
  return paths;
}

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  example?: unknown;
}

/** zod-openapi takes the example of a parameter from its schema; here it is that of the endpoint. */
export function withParameterExamples<Document extends { paths?: unknown }>(
  document: Document,
  endpoints: readonly Address[],
): Document {
  const paths = document.paths as Record<string, Record<string, { parameters?: Parameter[] }>>;
  for (const endpoint of endpoints) {
    const { method, path } = placeOf(endpoint.at);
    for (const parameter of paths[path]?.[method.toLowerCase()]?.parameters ?? []) {
      const examples = endpoint.example?.[parameter.in === 'header' ? 'headers' : parameter.in] as Json | undefined;
      const value = examples?.[parameter.name];
      if (value !== undefined) parameter.example = value;
    }
  }
  return document;
}
