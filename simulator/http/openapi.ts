// The OpenAPI 3.1 document, built from the endpoints: its schemas are the ones that parse the requests. zod itself
// makes them, because @hono/zod-openapi cannot read the zod/mini schemas that keep the functions on AWS small.
import * as z from 'zod';
import { fieldsOf, type Json, parametersOf, pathsOf, showWholeNumbers } from '#shared/http/endpoint.ts';
import * as contract from '#shared/porting/contract.ts';
import * as submissions from '#shared/porting/submission-contract.ts';
import { tokenEndpoint, tokenShapes } from '../routes/token.ts';
import { type AnswerShape, type Endpoint, numberText, problemAnswer } from './endpoint.ts';
import { problemBody } from './problem.ts';

/** The schemas that have a name in the document. */
const named: Readonly<Record<string, z.core.$ZodType>> = {
  PortingNetworkType: contract.portingNetworkType,
  TargetNetwork: contract.targetNetwork,
  SourceNetwork: contract.sourceNetwork,
  PortList: contract.portList,
  PortSummary: contract.portSummary,
  PortDetail: contract.portDetail,
  PortRow: contract.portRow,
  CreatePort: contract.createPortBody,
  CreatePortRow: contract.createPortRow,
  UpdatePort: contract.updatePortBody,
  UpdatePortRow: contract.updatePortRow,
  ServiceSetting: contract.serviceSetting,
  ServiceGroup: contract.serviceGroup,
  Service: contract.service,
  ProvisioningOrder: contract.provisioningOrder,
  Tariff: contract.tariff,
  BoltOn: contract.boltOn,
  IpGroup: contract.ipGroup,
  BundleSize: contract.bundleSize,
  ProvisioningTemplate: contract.provisioningTemplate,
  Company: contract.company,
  SubmissionTicket: submissions.submissionTicket,
  Provision: submissions.provisionBody,
  BarServiceConfig: submissions.barServiceConfigBody,
  SendSms: submissions.sendSmsBody,
  CreateBundle: submissions.createBundleBody,
  ConfigureBundleControl: submissions.configureBundleControlBody,
  Bar: submissions.barBody,
  Unbar: submissions.unbarBody,
  AccessToken: contract.accessToken,
  Problem: problemBody,
};

const componentUri = (id: string): string => `#/components/schemas/${id}`;

/** JSON Schemas of everything in the registry, by id. They refer to each other by address. */
function jsonSchemas(registry: z.core.$ZodRegistry<{ id: string }>): Record<string, Json> {
  const { schemas } = z.toJSONSchema(registry, {
    uri: componentUri,
    io: 'input',
    override: showWholeNumbers(numberText),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema as Json]),
  );
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Replaces each reference to a schema without a name by the schema. */
function inlined(value: unknown, all: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(value)) return value.map((element) => inlined(element, all));
  if (!isJson(value)) return value;
  const id = String(value.$ref ?? '').replace(componentUri(''), '');
  if (id in all && !(id in named)) {
    const { $ref: _, ...beside } = value;
    return { ...(inlined(all[id], all) as Json), ...beside };
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner, all)]));
}

/** All schemas of the endpoints. Those without a name are written where they are used. */
interface Schemas {
  readonly of: (schema: z.core.$ZodType) => Json;
  readonly components: Readonly<Record<string, Json>>;
}

function schemasOf(endpoints: readonly Endpoint[]): Schemas {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const ids = new Map<z.core.$ZodType, string>(Object.entries(named).map(([id, schema]) => [schema, id]));
  const parts = endpoints.flatMap(({ accepts, answers }) => [
    accepts.body,
    ...Object.values(answers).map(({ schema }) => schema),
    ...[accepts.path, accepts.query, accepts.headers].flatMap(fieldsOf).map(([, schema]) => schema),
  ]);
  for (const schema of [...parts, ...Object.values(tokenShapes)]) {
    if (schema === undefined || ids.has(schema)) continue;
    ids.set(schema, `inline-${ids.size}`);
    registry.add(schema, { id: ids.get(schema) ?? '' });
  }
  const raw = jsonSchemas(registry);
  const all = inlined(raw, raw) as Record<string, Json>;
  return {
    of: (schema) => {
      const id = ids.get(schema) ?? '';
      return id in named ? { $ref: componentUri(id) } : (all[id] ?? {});
    },
    components: Object.fromEntries(Object.entries(all).filter(([id]) => id in named)),
  };
}

/** Where an answer may come from a fault of the network or of the service, whatever the endpoint. */
const failures: Readonly<Record<string, AnswerShape>> = {
  429: problemAnswer(
    'Too many requests. Nothing was done; `Retry-After` has the seconds to wait.',
    'Too many requests.',
  ),
  500: problemAnswer('The service failed. The request may or may not have had an effect.', 'The service failed.'),
  503: problemAnswer('Nothing was done; `Retry-After` has the seconds to wait.', 'The port changes too often.'),
  '5XX': { description: 'A gateway or the service failed. The request may or may not have had an effect.' },
};

/** The answers that an endpoint has because of what it accepts. */
function impliedAnswers({ accepts, tag }: Endpoint): Readonly<Record<string, AnswerShape>> {
  const hasInputs = Object.values(accepts).some((schema) => schema !== undefined);
  return {
    ...(hasInputs && { 400: problemAnswer('The request does not have this form.', 'name: expected a text', 'name') }),
    401: problemAnswer('No valid bearer token.', 'A valid bearer token is required.'),
    ...(accepts.body && {
      413: problemAnswer('The body is too large.', 'The body is larger than 8388608 bytes.'),
      415: problemAnswer('Strict mode: the body is not JSON by its content type.', 'expected application/json'),
    }),
    ...(tag === 'Sandbox' ? { 500: failures[500] as AnswerShape } : failures),
  };
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait, or a date.', schema: { type: 'string' }, example: '1' },
};

function responseOf(status: string, { description, schema, example }: AnswerShape, schemas: Schemas): Json {
  const content = schema && {
    'application/json': { schema: schemas.of(schema), ...(example !== undefined && { example }) },
  };
  const headers = status === '429' || status === '503' ? retryAfter : undefined;
  return { description, ...(headers && { headers }), ...(content && { content }) };
}

function responsesOf(answers: Readonly<Record<string, AnswerShape>>, schemas: Schemas): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, responseOf(status, answer, schemas)]),
  );
}

function operationOf(endpoint: Endpoint, schemas: Schemas): Json {
  const { operationId, tag, summary, accepts, answers, example } = endpoint;
  const content = accepts.body && {
    'application/json': {
      schema: schemas.of(accepts.body),
      ...(example?.body !== undefined && { example: example.body }),
    },
  };
  return {
    operationId,
    tags: [tag],
    summary,
    parameters: parametersOf(endpoint, schemas.of),
    ...(content && { requestBody: { required: true, content } }),
    responses: responsesOf({ ...impliedAnswers(endpoint), ...answers }, schemas),
  };
}

const tokenOperation = (schemas: Schemas): Json => ({
  operationId: 'token',
  tags: ['Authentication'],
  summary: 'Token by client credentials',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: schemas.of(tokenShapes.form),
        example: tokenEndpoint.example,
      },
    },
  },
  responses: responsesOf({ ...failures, ...tokenEndpoint.answers }, schemas),
});

/** The document of these endpoints and of the token request. */
export function openApiDocument(endpoints: readonly Endpoint[]) {
  const schemas = schemasOf(endpoints);
  const operations = pathsOf(endpoints, (endpoint) => operationOf(endpoint, schemas));
  return {
    openapi: '3.1.0',
    info: {
      title: 'SIM Management and Porting Service',
      version: '1.0.0',
      description: 'Number porting and migration, SIM provisioning, service configuration, SMS and bundles.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: ['Authentication', ...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: { '/connect/token': { post: tokenOperation(schemas) }, ...operations },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: schemas.components,
    },
  };
}
