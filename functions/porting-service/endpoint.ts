// An endpoint as data: what it takes, what it answers, and the function between. The router and the OpenAPI document are
// both made of it, so neither can drift from the other.
import * as z from 'zod';
import type { ListFault } from './faults.ts';
import { malformed, Problem } from './problem.ts';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** What a request may carry, by part; a part without a schema is not looked at. */
interface Parts {
  readonly path?: z.core.$ZodType;
  readonly query?: z.core.$ZodType;
  readonly headers?: z.core.$ZodType;
  readonly body?: z.core.$ZodType;
}

export interface Caller {
  readonly clientId: string;
  readonly accountId: number;
}

type Parsed<Schema> = Schema extends z.core.$ZodType ? z.output<Schema> : undefined;

export interface Call<P extends Parts> {
  readonly path: Parsed<P['path']>;
  readonly query: Parsed<P['query']>;
  readonly headers: Parsed<P['headers']>;
  readonly body: Parsed<P['body']>;
  readonly caller: Caller;
  readonly listFault: ListFault;
}

export interface AnswerShape {
  readonly description: string;
  readonly schema?: z.core.$ZodType;
}

interface Description {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the spec writes it, e.g. `/api/porting/{accountId}`: case counts. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly answers: Readonly<Record<number, AnswerShape>>;
}

export interface Endpoint extends Description {
  readonly takes: Parts;
  readonly run: (incoming: Incoming) => Promise<Answer>;
}

export interface Incoming {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly header: (name: string) => string | undefined;
  readonly bodyText: () => Promise<string>;
  readonly caller: Caller;
  readonly listFault: ListFault;
}

function parse<Schema extends z.core.$ZodType | undefined>(
  schema: Schema,
  value: unknown,
  where: string,
): Parsed<Schema> {
  if (schema === undefined) return undefined as Parsed<Schema>;
  const result = z.safeParse(schema, value);
  if (!result.success) throw malformed(result.error, where);
  return result.data as Parsed<Schema>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, 'The body is not JSON.', [{ field: 'body', message: 'expected JSON' }]);
  }
}

const headersOf = (schema: z.core.$ZodType | undefined, incoming: Incoming): Record<string, string | undefined> =>
  schema instanceof z.core.$ZodObject
    ? Object.fromEntries(Object.keys(schema._zod.def.shape).map((name) => [name, incoming.header(name)]))
    : {};

/** Describes an endpoint whose handler gets the request already parsed by the schemas of `takes`. */
export function endpoint<const P extends Parts>(
  description: Description & { readonly takes: P },
  handle: (call: Call<P>) => Promise<Answer>,
): Endpoint {
  const { takes } = description;
  return {
    ...description,
    run: async (incoming) =>
      handle({
        path: parse<P['path']>(takes.path, incoming.path, 'path'),
        query: parse<P['query']>(takes.query, incoming.query, 'query'),
        headers: parse<P['headers']>(takes.headers, headersOf(takes.headers, incoming), 'headers'),
        body: parse<P['body']>(takes.body, takes.body && parseJson(await incoming.bodyText()), 'body'),
        caller: incoming.caller,
        listFault: incoming.listFault,
      }),
  };
}

/** A whole number written in a path, a query or a header. */
export const numberText = z
  .string()
  .regex(/^\d{1,15}$/, 'expected a whole number')
  .transform(Number);
