// An endpoint of the simulator: what it accepts, what it answers, and the function between. The router and the OpenAPI
// document are both built from it, so they cannot differ.
import type * as z from 'zod';
import {
  type Address,
  type IncomingParts,
  type Inputs,
  type ParsedInputs,
  parseInputs,
  wholeNumberText,
} from '#shared/api/endpoint.ts';
import { readJsonBody } from './json-body.ts';
import { malformedRequest, problemBody } from './problem.ts';
import { checkStrictBody, checkStrictContentType } from './strict-body.ts';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
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

export interface AnswerShape {
  readonly description: string;
  readonly schema?: z.core.$ZodType;
  readonly example?: unknown;
}

interface Description extends Address {
  readonly operationId: string;
  readonly answers: Readonly<Record<number, AnswerShape>>;
}

export interface Endpoint extends Description {
  readonly tag: string;
  readonly run: (incoming: Incoming) => Promise<Answer>;
}

interface Context {
  readonly caller: Caller;
  readonly list: ListView;
}

export interface Incoming extends Omit<IncomingParts, 'body' | 'problemOf'>, Context {
  readonly body: () => Promise<ArrayBuffer>;
  readonly isStrict: boolean;
}

/** An answer of the error shape, with its example. */
export const problemAnswer = (description: string, message: string, field?: string): AnswerShape => ({
  description,
  schema: problemBody,
  example: { message, errors: field === undefined ? [] : [{ field, message }] },
});

/** Describes the endpoints of one tag. A handler gets the request parsed by the schemas of `accepts`. */
export const endpointsOf =
  (tag: string) =>
  <const I extends Inputs>(
    description: Description & { readonly accepts: I },
    handle: (call: ParsedInputs<I> & Context) => Promise<Answer>,
  ): Endpoint => ({
    ...description,
    tag,
    run: async ({ isStrict, caller, list, ...incoming }) => {
      let given: unknown;
      const body = async () => {
        if (isStrict) checkStrictContentType(incoming.header('content-type'));
        given = readJsonBody(await incoming.body(), isStrict ? 'reject' : 'replace');
        return given;
      };
      const parsed = await parseInputs<I>(description.accepts, { ...incoming, body, problemOf: malformedRequest });
      if (isStrict && description.accepts.body !== undefined) checkStrictBody(given, parsed.body);
      return handle({ ...parsed, caller, list });
    },
  });

export const numberText = wholeNumberText(15);
