// An endpoint as data: what it accepts, what it answers, and the function between. The router and the OpenAPI document
// are both built from it, so they cannot differ.
import * as z from 'zod';
import { readJsonBody } from './json-body.ts';
import { malformedRequest, problemBody } from './problem.ts';
import { checkStrictBody, checkStrictContentType } from './strict-body.ts';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** What a request may carry, by part. A part without a schema is not read. */
interface Inputs {
  readonly path?: z.core.$ZodType;
  readonly query?: z.core.$ZodType;
  readonly headers?: z.core.$ZodType;
  readonly body?: z.core.$ZodType;
}

export interface Caller {
  readonly accountId: number;
}

/** How List Ports differs from the truth because of a fault. */
export interface ListView {
  /** The newest ports that are not shown yet. */
  readonly hiddenPorts: number;
  /** Ports younger than this, in milliseconds, are not shown yet. */
  readonly hiddenMs: number;
  /** Every page begins that many ports later. */
  readonly shift: number;
  readonly total: 'all' | 'shown';
  readonly isEmpty: boolean;
}

export const fullList: ListView = { hiddenPorts: 0, hiddenMs: 0, shift: 0, total: 'all', isEmpty: false };

type Parsed<Schema> = Schema extends z.core.$ZodType ? z.output<Schema> : undefined;

export interface Call<I extends Inputs> {
  readonly path: Parsed<I['path']>;
  readonly query: Parsed<I['query']>;
  readonly headers: Parsed<I['headers']>;
  readonly body: Parsed<I['body']>;
  readonly caller: Caller;
  readonly list: ListView;
}

export interface AnswerShape {
  readonly description: string;
  readonly schema?: z.core.$ZodType;
  readonly example?: unknown;
}

interface Description {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the spec writes it, for example `/api/porting/{accountId}`. Case counts. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** A request that succeeds, by part; the examples of the document. */
  readonly example?: { readonly [Part in keyof Inputs]?: unknown };
}

export interface Endpoint extends Description {
  readonly accepts: Inputs;
  readonly run: (incoming: Incoming) => Promise<Answer>;
}

export interface Incoming {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  readonly body: () => Promise<ArrayBuffer>;
  readonly caller: Caller;
  readonly list: ListView;
  readonly isStrict: boolean;
}

/** An answer of the error shape, with its example. */
export const problemAnswer = (description: string, message: string, field?: string): AnswerShape => ({
  description,
  schema: problemBody,
  example: { message, errors: field === undefined ? [] : [{ field, message }] },
});

const safeParse = (schema: z.core.$ZodType, value: unknown) => {
  try {
    return z.safeParse(schema, value);
  } catch {
    // A length check reads `length` of whatever it gets, and an object there has no number to compare.
    return z.safeParse(schema, withoutLengths(value));
  }
};

function withoutLengths(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLengths);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'length');
  return Object.fromEntries(members.map(([name, inner]) => [name, withoutLengths(inner)]));
}

function parse<Schema extends z.core.$ZodType | undefined>(
  schema: Schema,
  value: unknown,
  part: string,
): Parsed<Schema> {
  if (schema === undefined) return undefined as Parsed<Schema>;
  const result = safeParse(schema, value);
  if (!result.success) throw malformedRequest(result.error.issues, part);
  return result.data as Parsed<Schema>;
}

async function parseBody<Schema extends z.core.$ZodType | undefined>(
  schema: Schema,
  { header, body, isStrict }: Incoming,
): Promise<Parsed<Schema>> {
  if (schema === undefined) return undefined as Parsed<Schema>;
  if (isStrict) checkStrictContentType(header('content-type'));
  const value = readJsonBody(await body(), isStrict ? 'reject' : 'replace');
  const parsed = parse(schema, value, 'body');
  if (isStrict) checkStrictBody(value, parsed);
  return parsed;
}

const headersOf = (schema: z.core.$ZodType | undefined, incoming: Incoming): Record<string, string | undefined> =>
  schema instanceof z.core.$ZodObject
    ? Object.fromEntries(Object.keys(schema._zod.def.shape).map((name) => [name, incoming.header(name)]))
    : {};

/** Describes an endpoint. Its handler gets the request parsed by the schemas of `accepts`. */
export function endpoint<const I extends Inputs>(
  description: Description & { readonly accepts: I },
  handle: (call: Call<I>) => Promise<Answer>,
): Endpoint {
  const { accepts } = description;
  return {
    ...description,
    run: async (incoming) =>
      handle({
        path: parse<I['path']>(accepts.path, incoming.path, 'path'),
        query: parse<I['query']>(accepts.query, incoming.query, 'query'),
        headers: parse<I['headers']>(accepts.headers, headersOf(accepts.headers, incoming), 'headers'),
        body: await parseBody<I['body']>(accepts.body, incoming),
        caller: incoming.caller,
        list: incoming.list,
      }),
  };
}

/** A whole number in a path, a query or a header. */
export const numberText = z
  .string()
  .regex(/^\d{1,15}$/, 'expected a whole number')
  .transform(Number);
