// The OpenAPI 3.1 document, made of the endpoints themselves: the schemas in it are the ones that parse the requests.
import * as z from 'zod';
import * as contract from '#shared/porting/contract.ts';
import { type Endpoint, numberText } from './endpoint.ts';
import { problemBody } from './problem.ts';
import { tokenError, tokenForm } from './routes/token.ts';

type Json = Readonly<Record<string, unknown>>;

/** The schemas that get a name of their own in the document. */
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
  SubmissionTicket: contract.submissionTicket,
  Provision: contract.provisionBody,
  BarServiceConfig: contract.barServiceConfigBody,
  SendSms: contract.sendSmsBody,
  CreateBundle: contract.createBundleBody,
  ConfigureBundleControl: contract.configureBundleControlBody,
  Bar: contract.barBody,
  Unbar: contract.unbarBody,
  AccessToken: contract.accessToken,
  Problem: problemBody,
};

const componentUri = (id: string): string => `#/components/schemas/${id}`;

/** JSON Schemas of everything in the registry, by id; what is in it refers to each other by address. */
function jsonSchemas(registry: z.core.$ZodRegistry<{ id: string }>): Record<string, Json> {
  const { schemas } = z.toJSONSchema(registry, {
    uri: componentUri,
    io: 'input',
    // Numbers in addresses and headers arrive as text; what they are is whole numbers.
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) !== numberText) return;
      delete jsonSchema.pattern;
      jsonSchema.type = 'integer';
      jsonSchema.minimum = 0;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema as Json]),
  );
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes the schemas without a name in the places that refer to them. */
function writtenOut(value: unknown, all: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(value)) return value.map((element) => writtenOut(element, all));
  if (!isJson(value)) return value;
  const id = String(value.$ref ?? '').replace(componentUri(''), '');
  if (id in all && !(id in named)) {
    const { $ref: _, ...beside } = value;
    return { ...(writtenOut(all[id], all) as Json), ...beside };
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, writtenOut(inner, all)]));
}

/** Schemas of one endpoint that have no name: registered under a passing one, then written in place. */
interface Inline {
  readonly of: (schema: z.core.$ZodType) => Json;
  readonly components: Readonly<Record<string, Json>>;
}

function schemasOf(endpoints: readonly Endpoint[]): Inline {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const ids = new Map<z.core.$ZodType, string>(Object.entries(named).map(([id, schema]) => [schema, id]));
  const parts = endpoints.flatMap(({ takes, answers }) => [
    takes.body,
    ...Object.values(answers).map(({ schema }) => schema),
    ...[takes.path, takes.query, takes.headers].flatMap(fieldsOf).map(([, schema]) => schema),
  ]);
  for (const schema of [...parts, tokenForm, tokenError]) {
    if (schema === undefined || ids.has(schema)) continue;
    ids.set(schema, `inline-${ids.size}`);
    registry.add(schema, { id: ids.get(schema) ?? '' });
  }
  const raw = jsonSchemas(registry);
  const all = writtenOut(raw, raw) as Record<string, Json>;
  return {
    of: (schema) => {
      const id = ids.get(schema) ?? '';
      return id in named ? { $ref: componentUri(id) } : (all[id] ?? {});
    },
    components: Object.fromEntries(Object.entries(all).filter(([id]) => id in named)),
  };
}

function fieldsOf(schema: z.core.$ZodType | undefined): [string, z.core.$ZodType][] {
  return schema instanceof z.core.$ZodObject ? Object.entries(schema._zod.def.shape) : [];
}

function parametersOf({ takes }: Endpoint, inline: Inline): Json[] {
  const places = [
    ['path', takes.path],
    ['query', takes.query],
    ['header', takes.headers],
  ] as const;
  return places.flatMap(([place, schema]) =>
    fieldsOf(schema).map(([name, field]) => ({
      name,
      in: place,
      required: !z.safeParse(field, undefined).success,
      schema: inline.of(field),
    })),
  );
}

const problemAnswer = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: componentUri('Problem') } } },
});

function answersOf({ answers, method }: Endpoint, inline: Inline): Json {
  const own = Object.entries(answers).map(([status, { description, schema }]) => {
    if (schema) return [status, { description, content: { 'application/json': { schema: inline.of(schema) } } }];
    return [status, Number(status) < 300 ? { description } : problemAnswer(description)];
  });
  const changes = method === 'GET' ? [] : [['422', problemAnswer('A rule of the service forbids it.')]];
  return Object.fromEntries([
    ...own,
    ['400', problemAnswer('The request does not have this form.')],
    ['401', problemAnswer('No valid bearer token.')],
    ['403', problemAnswer("Another account's data.")],
    ['404', problemAnswer('There is no such thing.')],
    ...changes,
  ]);
}

function operationOf(endpoint: Endpoint, inline: Inline): Json {
  const { operationId, tag, summary, takes } = endpoint;
  const content = takes.body && { 'application/json': { schema: inline.of(takes.body) } };
  return {
    operationId,
    tags: [tag],
    summary,
    parameters: parametersOf(endpoint, inline),
    ...(content && { requestBody: { required: true, content } }),
    responses: answersOf(endpoint, inline),
  };
}

const tokenOperation = (inline: Inline): Json => ({
  operationId: 'token',
  tags: ['Authentication'],
  summary: 'Token by client credentials',
  security: [],
  requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: inline.of(tokenForm) } } },
  responses: {
    200: {
      description: 'A bearer token.',
      content: { 'application/json': { schema: inline.of(contract.accessToken) } },
    },
    400: {
      description: 'Bad credentials or another wrong form field.',
      content: { 'application/json': { schema: inline.of(tokenError) } },
    },
  },
});

/** The document of these endpoints and of the token request. */
export function openApiDocument(endpoints: readonly Endpoint[]) {
  const inline = schemasOf(endpoints);
  const paths: Record<string, Record<string, Json>> = { '/connect/token': { post: tokenOperation(inline) } };
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint, inline) };
  }
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
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: inline.components,
    },
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;
