// What every endpoint takes and answers, as types: the console types its client with them.
import type * as z from 'zod';
import type { Inputs } from '#shared/api/endpoint.ts';
import type { readEndpoints } from './read/endpoints.ts';
import type { simulatorEndpoints } from './simulator.ts';
import type { writeEndpoints } from './write/endpoints.ts';

type Endpoints = typeof readEndpoints & typeof writeEndpoints & typeof simulatorEndpoints;
export type EndpointName = keyof Endpoints;
type DescriptionOf<Name extends EndpointName> = Endpoints[Name]['description'];

/** Where each endpoint is, such as `GET /imports`. */
export type Addresses = {
  readonly [Name in EndpointName]: DescriptionOf<Name>['at'];
};

type InputOf<Name extends EndpointName, Part extends keyof Inputs> = DescriptionOf<Name>['accepts'] extends {
  readonly [P in Part]: infer Schema extends z.ZodType;
}
  ? z.input<Schema>
  : undefined;
export type PathInput<Name extends EndpointName> = InputOf<Name, 'path'>;
export type QueryInput<Name extends EndpointName> = InputOf<Name, 'query'>;
export type BodyInput<Name extends EndpointName> = InputOf<Name, 'body'>;

/** undefined: a file, or no body. */
export type AnswerOf<Name extends EndpointName> =
  DescriptionOf<Name> extends {
    readonly answer: infer Schema extends z.ZodType;
  }
    ? z.output<Schema>
    : undefined;
