// Compares answers with an OpenAPI document: is the status declared, and the content type, and does the body fit?
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseJson } from '#shared/text/stored-values.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
interface Response {
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export interface Exchange {
  readonly method: string;
  /** With the query, or without. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** What an answer lacks. It repeats no value of the answer. */
interface Difference {
  /** JSON pointer into the body; empty for all of it, for the status and for the content type. */
  readonly pointer: string;
  readonly expected: string;
}

const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);

export function createAnswerChecker(document: Document) {
  // The document has a pattern beside each format.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    schemas: [{ $id: 'document', ...document }],
  });
  const compiled = new Map<object, ValidateFunction>();
  const absolute = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
  /** Where a value does not fit a schema of the document. */
  const schemaDifferences = (schema: object, value: unknown): Difference[] => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
    compiled.set(schema, validate);
    return validate(value) ? [] : differencesOf(validate.errors ?? []);
  };
  const paths = Object.entries(document.paths).map(([template, methods]) => ({
    /** The path in the document, such as `/api/porting/{accountId}`. */
    template,
    pattern: patternOf(template),
    methods,
  }));
  return {
    document,
    schemaDifferences,
    /** With its path in the document, such as `/api/porting/{accountId}`; undefined for a call that it lacks. */
    operationOf(method: string, path: string) {
      const [name, place] = [method.toLowerCase(), path.split('?')[0] ?? ''];
      const found = paths.find(({ pattern, methods }) => pattern.test(place) && name in methods);
      const operation = found?.methods[name];
      return found && operation && { template: found.template, operation };
    },
    differences: (operation: Operation, exchange: Exchange): Difference[] =>
      answerDifferences(operation, exchange, schemaDifferences),
  };
}

export type AnswerChecker = ReturnType<typeof createAnswerChecker>;

function answerDifferences(
  { responses }: Operation,
  { status, contentType, text }: Exchange,
  schemaDifferences: AnswerChecker['schemaDifferences'],
): Difference[] {
  const whole = (expected: string): Difference[] => [{ pointer: '', expected }];
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
  if (response === undefined) return whole(`status ${Object.keys(responses).join(', ')}`);
  if (response.content === undefined) return text === '' || status >= 500 ? [] : whole('no body');
  const media = Object.entries(response.content).find(([type]) => contentType.startsWith(type));
  if (media === undefined) return whole(`content type ${Object.keys(response.content).join(', ')}`);
  const [type, { schema }] = media;
  // A file is described by its content type only.
  if (!type.endsWith('json')) return [];
  const value = parseJson(text);
  return value === undefined ? whole('JSON') : schemaDifferences(schema, value);
}

/** One for each place. Where an alternative has the type of the value, the types of the others are left out. */
function differencesOf(errors: readonly ErrorObject[]): Difference[] {
  const choices = new Set(errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath));
  const isOfOtherType = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'type' &&
    choices.has(instancePath) &&
    errors.some((other) => other.instancePath.startsWith(`${instancePath}/`));
  const byPointer = Map.groupBy(
    errors.filter((error) => error.keyword !== 'anyOf' && !isOfOtherType(error)),
    ({ instancePath, params }) =>
      params.missingProperty === undefined ? instancePath : `${instancePath}/${params.missingProperty}`,
  );
  return Array.from(byPointer, ([pointer, atPlace]) => ({
    pointer,
    expected: [...new Set(atPlace.map(expectedBy))].join(' or '),
  }));
}

function expectedBy({ keyword, params, message = keyword }: ErrorObject): string {
  if (keyword === 'required') return 'a value';
  if (keyword === 'type') return String(params.type);
  if (keyword === 'enum') return params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(' or ');
  return message.replace(/^must (be )?/, '');
}
