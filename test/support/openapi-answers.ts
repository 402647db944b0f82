// Checks answers against the OpenAPI document of the simulator that gave them: the status is declared, the body fits.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { RunningSimulator } from '#simulator/start-simulator.ts';

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
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export interface AnswerChecker {
  readonly document: Document;
  /** What is wrong with the answer by the document; null if nothing is. */
  problemOf(exchange: Exchange): string | null;
  /** What is wrong with a value by a schema of the document. */
  schemaProblem(schema: object, value: unknown): string | null;
}

const patternOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);

export function createAnswerChecker(document: Document): AnswerChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true, schemas: [{ $id: 'document', ...document }] });
  addFormats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();
  const absolute = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
  const schemaProblem = (schema: object, value: unknown): string | null => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
    compiled.set(schema, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
  const paths = Object.entries(document.paths).map(([template, methods]) => ({
    pattern: patternOf(template),
    methods,
  }));
  const operationOf = (method: string, path: string): Operation | undefined =>
    paths.find(({ pattern, methods }) => pattern.test(path) && method.toLowerCase() in methods)?.methods[
      method.toLowerCase()
    ];
  return {
    document,
    schemaProblem,
    problemOf(exchange) {
      const operation = operationOf(exchange.method, exchange.path.split('?')[0] ?? '');
      // The document describes the service: not what it does not have, nor the page of a gateway in front of it.
      if (operation === undefined || exchange.contentType.startsWith('text/html')) return null;
      return answerProblem(operation, exchange, schemaProblem);
    },
  };
}

function answerProblem(
  { operationId, responses }: Operation,
  { status, contentType, text }: Exchange,
  schemaProblem: AnswerChecker['schemaProblem'],
): string | null {
  const name = `${operationId} ${status}`;
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
  if (response === undefined) return `${name} is not in the document: ${text}`;
  if (response.content === undefined) return text === '' || status >= 500 ? null : `${name} has a body: ${text}`;
  const media = Object.entries(response.content).find(([type]) => contentType.startsWith(type));
  if (media === undefined) return `${name} has the content type "${contentType}"`;
  const [type, { schema }] = media;
  // A file is described by its content type only.
  if (!type.endsWith('json')) return null;
  const problem = schemaProblem(schema, JSON.parse(text));
  return problem === null ? null : `${name}: ${problem}`;
}

const checkers = new Map<string, AnswerChecker>();
const checkerBySimulator = new WeakMap<object, Promise<AnswerChecker>>();

type Simulator = Pick<RunningSimulator, 'baseUrl' | 'simulator'>;

/** The checker of a running simulator; simulators with the same document share one. */
export function answerCheckerOf(service: Simulator): Promise<AnswerChecker> {
  const known = checkerBySimulator.get(service.simulator) ?? readChecker(service);
  checkerBySimulator.set(service.simulator, known);
  return known;
}

async function readChecker({ baseUrl }: Simulator): Promise<AnswerChecker> {
  const text = await (await fetch(`${baseUrl}/openapi.json`)).text();
  const checker = checkers.get(text) ?? createAnswerChecker(JSON.parse(text));
  checkers.set(text, checker);
  return checker;
}
