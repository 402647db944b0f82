// A route of the simulator: what it accepts, what it answers, and the function between. The router and the OpenAPI
// document are both built from it, so they cannot differ.
import * as z from 'zod';
import {
  type Address,
  type IncomingParts,
  type Inputs,
  type ParsedInputs,
  parseInputs,
  wholeNumberText,
} from '#shared/api/endpoint.ts';
import { malformedRequest, Problem, problemBody } from './problem.ts';

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

// Reads a JSON body that every store can keep: whole Unicode text, and no deeper than any request has to be.

const maxDepth = 100;

type Path = readonly (string | number)[];

const bodyProblem = (message: string): Problem => malformedRequest([{ path: [], message }], 'body');

/** Half of a surrogate pair, as `"\ud83d"`, is valid JSON but not text: a database rejects it. */
function checkText(text: string, path: Path): void {
  if (text.isWellFormed()) return;
  throw malformedRequest([{ path, message: 'has half of a surrogate pair, which is not Unicode text' }], 'body');
}

/** A loop and not a recursion: a body may be nested deeper than the stack. */
function checkValues(body: unknown): void {
  const left: { readonly value: unknown; readonly path: Path }[] = [{ value: body, path: [] }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') checkText(value, path);
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= maxDepth) throw bodyProblem(`expected at most ${maxDepth} levels`);
    for (const [key, inner] of Object.entries(value)) {
      checkText(key, path);
      left.push({ value: inner, path: [...path, Array.isArray(value) ? Number(key) : key] });
    }
  }
}

/** What happens to bytes that are not UTF-8. */
type InvalidUtf8 = 'reject' | 'replace';

function decode(bytes: ArrayBuffer, invalid: InvalidUtf8): string {
  try {
    return new TextDecoder('utf-8', { fatal: invalid === 'reject' }).decode(bytes);
  } catch {
    throw bodyProblem('expected UTF-8');
  }
}

/** @throws Problem 400 for what is not JSON, not Unicode, or not UTF-8 where that is rejected */
function readJsonBody(bytes: ArrayBuffer, invalid: InvalidUtf8): unknown {
  const text = decode(bytes, invalid);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Problem(400, 'The body is not JSON.', { errors: [{ field: 'body', message: 'expected JSON' }] });
  }
  checkValues(body);
  return body;
}

// Strict mode: what the spec does not describe is rejected with its place, instead of ignored.

interface Issue {
  readonly path: Path;
  readonly message: string;
}

/** @throws Problem 415 */
function checkStrictContentType(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() === 'application/json' && isUtf8) return;
  const message = `The content type must be application/json;charset=UTF-8, not "${contentType ?? ''}".`;
  throw new Problem(415, message, { errors: [{ field: 'content-type', message: 'expected application/json' }] });
}

/** Parsing keeps the known fields only, so whatever is missing afterwards was not known. */
function unknownFields(given: unknown, parsed: unknown, path: Path): Issue[] {
  if (Array.isArray(given) && Array.isArray(parsed)) {
    return given.flatMap((each, index) => unknownFields(each, parsed[index], [...path, index]));
  }
  if (typeof given !== 'object' || given === null || typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(given).flatMap(([name, value]) =>
    Object.hasOwn(parsed, name)
      ? unknownFields(value, (parsed as Record<string, unknown>)[name], [...path, name])
      : [{ path: [...path, name], message: 'is not a field of this request' }],
  );
}

const dateFields = new Set(['connectionDate', 'startDate', 'endDate']);
const nameFields = new Set([
  'name',
  'groupName',
  'provisioningOrderName',
  'newProvisioningOrderName',
  'Name',
  'zone',
  'bundlePeriod',
]);

const wholeDate = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

function fieldIssues(name: string, value: unknown, path: Path): Issue[] {
  if (typeof value !== 'string') return [];
  if (nameFields.has(name) && value.trim() === '') return [{ path, message: 'must not be blank' }];
  if (dateFields.has(name) && !wholeDate.safeParse(value).success) {
    return [{ path, message: 'expected a date-time that exists, as 2026-07-08T00:00:00' }];
  }
  return [];
}

function valueIssues(value: unknown, path: Path): Issue[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...path, Array.isArray(value) ? Number(name) : name];
    return [...fieldIssues(name, inner, place), ...valueIssues(inner, place)];
  });
}

/** @throws Problem 400 that names every unknown field, blank name and date-time that does not exist */
function checkStrictBody(given: unknown, parsed: unknown): void {
  const issues = [...unknownFields(given, parsed, []), ...valueIssues(parsed, [])];
  if (issues.length > 0) throw malformedRequest(issues, 'body');
}
