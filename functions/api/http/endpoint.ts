// An endpoint of the API: its address, who may call it, what it takes and answers, which problems it has, and the
// function between. The app, the OpenAPI document and the types of the console's client all follow from it.
import type * as z from 'zod';
import { type Role, roles } from '#shared/api/agreed-names.ts';
import {
  type Address,
  type Finding,
  fieldErrors,
  type IncomingParts,
  type Inputs,
  type ParsedInputs,
  parseInputs,
} from '#shared/api/endpoint.ts';
import { type ProblemCode, problems, problemType } from '#shared/api/problem.ts';

export interface Description extends Address {
  /** The role that it needs. An operator has every role, and every role includes viewer. */
  readonly role: Role;
  readonly accepts: { readonly path?: z.ZodObject; readonly query?: z.ZodObject; readonly body?: z.ZodType };
  /** A POST that changes nothing: it needs no Idempotency-Key. */
  readonly isQuery?: true;
  /** It may take seconds: each person has a share of such calls, and commands have executions of their own. */
  readonly isSlow?: true;
  /** The status of success. @default 200 */
  readonly status?: 200 | 201 | 202 | 204;
  /** The JSON answer; absent where the answer is a file or has no body. */
  readonly answer?: z.ZodType;
  /** The content types of an answer that is a file. */
  readonly files?: readonly string[];
  /** Answers with an ETag, and 304 to If-None-Match. */
  readonly etag?: true;
  /** Beside those that follow from what it accepts. */
  readonly problems?: readonly ProblemCode[];
}

export interface FileAnswer {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

interface Context {
  readonly caller: Caller;
  /** The same for a repeat of the same write; empty for a request that changes nothing. */
  readonly writeId: string;
}

type HandlerAnswer<D extends Description> = D extends { readonly answer: infer Answer extends z.ZodType }
  ? z.output<Answer>
  : D extends { readonly files: readonly string[] }
    ? FileAnswer
    : undefined;

export type Incoming = Omit<IncomingParts, 'header' | 'problemOf'> & Context;

export interface Endpoint<Dependencies, D extends Description = Description> {
  readonly description: D;
  /** @throws ApiProblem */
  readonly run: (incoming: Incoming, dependencies: Dependencies) => Promise<unknown>;
}

/** A write takes an Idempotency-Key. */
export const isWrite = ({ at, isQuery }: Description): boolean => !at.startsWith('GET ') && isQuery !== true;

const maxErrors = 20;

/** The messages of zod about sizes, in plain words. */
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

function inWords({ path, message, ...limits }: Finding & SizeLimits): Finding {
  const { origin = '', maximum, minimum } = limits;
  const unit = units[origin] ?? '';
  if (maximum !== undefined) return { path, message: `expected at most ${maximum}${unit}` };
  if (minimum !== undefined) return { path, message: `expected at least ${minimum}${unit}` };
  return { path, message };
}

interface SizeLimits {
  /** What is too large or too small. */
  readonly origin?: string;
  readonly maximum?: unknown;
  readonly minimum?: unknown;
}

/** What is walked of a schema of zod, to name the members of its objects. */
interface Definition {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly options?: readonly z.core.$ZodType[];
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
}

/** The members of the object at this place. */
function membersAt(schema: z.core.$ZodType, [key, ...rest]: readonly PropertyKey[]): string[] {
  const { shape = {}, options = [], element, innerType } = schema._zod.def as Definition;
  const path = key === undefined ? [] : [key, ...rest];
  if (innerType) return membersAt(innerType, path);
  if (options.length > 0) return [...new Set(options.flatMap((option) => membersAt(option, path)))];
  if (key === undefined) return Object.keys(shape);
  const inner = element ?? shape[String(key)];
  return inner ? membersAt(inner, rest) : [];
}

/** Each unknown member, with the known ones: a person may think that it had an effect. */
const namingMembers =
  (schema: z.core.$ZodType | undefined) =>
  (
    finding: Finding & { readonly keys?: readonly string[]; readonly errors?: readonly (readonly Finding[])[] },
  ): Finding[] => {
    // Where one of several forms is expected, what is wrong with each of them.
    const ofForms = finding.errors?.flat().map((inner) => ({ ...inner, path: [...finding.path, ...inner.path] })) ?? [];
    if (ofForms.length > 0) return ofForms.flatMap(namingMembers(schema));
    const { path, keys } = finding;
    if (keys === undefined || schema === undefined) return [finding];
    const members = membersAt(schema, path).join(', ');
    const known = members === '' ? 'It takes none' : `It takes ${members}`;
    return keys.map((member) => ({ path, message: `there is no member ${JSON.stringify(member)}. ${known}` }));
  };

function problemOf(found: readonly Finding[], part: keyof Inputs, schema: z.core.$ZodType | undefined): ApiProblem {
  // A path that its schema does not know names nothing, so it is 404.
  if (part === 'path') return new ApiProblem('not-found', 'The address names nothing that exists here.');
  const findings = found.flatMap(namingMembers(schema));
  const errors = fieldErrors(findings.slice(0, maxErrors).map(inWords), part);
  const [first] = errors;
  const detail = first ? `${first.field}: ${first.message}.` : `The ${part} is not valid.`;
  return new ApiProblem('invalid-request', detail, { errors });
}

/** Describes an endpoint. Its handler gets the request parsed by the schemas of `accepts`. */
export function endpoint<const D extends Description, Dependencies>(
  description: D,
  handle: (
    call: ParsedInputs<D['accepts']> & Context,
    dependencies: Dependencies,
  ) => Promise<NoInfer<HandlerAnswer<D>>>,
): Endpoint<Dependencies, D> {
  const { accepts } = description;
  const strict = { ...accepts, query: accepts.query?.strict() } as D['accepts'];
  const problemIn = (findings: readonly Finding[], part: keyof Inputs) =>
    problemOf(findings, part, part === 'headers' ? undefined : strict[part]);
  return {
    description,
    run: async ({ caller, writeId, ...parts }, dependencies) => {
      const parsed = await parseInputs(strict, { ...parts, header: () => undefined, problemOf: problemIn });
      return handle({ ...parsed, caller, writeId }, dependencies);
    },
  };
}

// A problem as an error: a route throws it, and the app returns it as application/problem+json.

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  readonly changed?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

/** `detail` explains what happened and what to do. It never contains a PAC or a secret. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.code = code;
    this.options = options;
  }
}

export function problemResponse({ code, message, options }: ApiProblem): Response {
  const { status, title } = problems[code];
  const { errors, changed, retryAfterSeconds } = options;
  const body = { type: `urn:simporter:problem:${code}`, title, status, detail: message, code, errors, changed };
  const headers = {
    'content-type': problemType,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
  return new Response(JSON.stringify(body), { status, headers });
}

export const notFound = (detail: string): ApiProblem => new ApiProblem('not-found', detail);

// Who calls, as proven by the token, and what this person may do.

export interface Caller {
  /** The subject of the token: it never changes. */
  readonly id: string;
  /** For people: the verified e-mail address, or else the name at the identity provider. */
  readonly name: string;
  readonly roles: readonly Role[];
}

/** Every role includes viewer, and operator includes every role. */
export const hasRole = (caller: Caller, needed: Role): boolean =>
  caller.roles.length > 0 &&
  (needed === 'viewer' || caller.roles.includes(needed) || caller.roles.includes('operator'));

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

/** API Gateway writes a claim that is a list as `[viewer approver]`. */
const listOf = (claim: unknown): string[] => {
  if (Array.isArray(claim)) return claim.map(String);
  return typeof claim === 'string' ? claim.replace(/^\[|\]$/g, '').split(/[\s,]+/) : [];
};

/**
 * From the claims of a verified ID token of Cognito; undefined where it names no person. API Gateway also takes
 * Cognito's access token, whose `client_id` is the audience, but that has no name for the audit trail.
 */
export function callerFromClaims(claims: Readonly<Record<string, unknown>>): Caller | undefined {
  const { sub, email, email_verified: isVerified, 'cognito:username': username, token_use: kind } = claims;
  if (kind !== 'id') return undefined;
  if (typeof sub !== 'string' || sub === '') return undefined;
  const groups = listOf(claims['cognito:groups']).filter(isRole);
  // Some providers do not verify addresses, and the audit trail shows this name.
  const names = [String(isVerified) === 'true' ? email : undefined, username];
  const name = names.find((one): one is string => typeof one === 'string' && one !== '') ?? sub;
  return { id: sub, name, roles: groups };
}
