// The OpenAPI 3.1 document, built from the endpoints: its schemas are the ones that parse the requests.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Hono } from 'hono';
import type * as z from 'zod';
import { createDocument } from 'zod-openapi';
import { type Json, paramsOf, pathsOf, showWholeNumbers, withParameterExamples } from '#shared/api/endpoint.ts';
import * as submissions from '#shared/service/contract.ts';
import * as contract from '#shared/service/contract.ts';
import { tokenEndpoint, tokenShapes } from '../auth.ts';
import { problemBody } from './problem.ts';
import { type AnswerShape, type Endpoint, numberText, problemAnswer } from './route.ts';

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

function responseOf(status: string, { description, schema, example }: AnswerShape): Json {
  const content = schema && { 'application/json': { schema, ...(example !== undefined && { example }) } };
  const headers = status === '429' || status === '503' ? retryAfter : undefined;
  return { description, ...(headers && { headers }), ...(content && { content }) };
}

function responsesOf(answers: Readonly<Record<string, AnswerShape>>): Json {
  return Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(status, answer)]));
}

function operationOf(endpoint: Endpoint): Json {
  const { operationId, tag, summary, accepts, answers, example } = endpoint;
  const content = accepts.body && {
    'application/json': { schema: accepts.body, ...(example?.body !== undefined && { example: example.body }) },
  };
  return {
    operationId,
    tags: [tag],
    summary,
    requestParams: paramsOf(endpoint),
    ...(content && { requestBody: { required: true, content } }),
    responses: responsesOf({ ...impliedAnswers(endpoint), ...answers }),
  };
}

const tokenOperation: Json = {
  operationId: 'token',
  tags: ['Authentication'],
  summary: 'Token by client credentials',
  security: [],
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: tokenShapes.form, example: tokenEndpoint.example } },
  },
  responses: responsesOf({ ...failures, ...tokenEndpoint.answers }),
};

/** The document of these endpoints and of the token request. */
export function openApiDocument(endpoints: readonly Endpoint[]): object {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'SIM Management and Porting Service',
        version: '1.0.0',
        description: 'Number porting and migration, SIM provisioning, service configuration, SMS and bundles.',
      },
      servers: [{ url: '/' }],
      security: [{ bearer: [] }],
      tags: ['Authentication', ...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
      paths: { '/connect/token': { post: tokenOperation }, ...pathsOf(endpoints, operationOf) } as never,
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas: { ...named } },
    },
    {
      override: (context) => {
        showWholeNumbers(numberText)(context);
        // The service may add members to its answers.
        const { catchall } = context.zodSchema._zod.def as z.core.$ZodObjectDef;
        if (context.io === 'output' && catchall === undefined) delete context.jsonSchema.additionalProperties;
      },
    },
  );
  return withParameterExamples(document, endpoints);
}

// The OpenAPI document, and Swagger UI to read and try it. The viewer's files come from the package swagger-ui-dist, so
// that the page works offline. Its dependency with an install script is replaced by an empty package in package.json.

const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>SIM Management and Porting Service</title><link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="viewer"></div>
<script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></body></html>
`;

// Without validatorUrl the viewer would send the document to a validator on the internet.
const start = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#viewer', validatorUrl: null, tryItOutEnabled: true });\n`;

const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** Undefined on AWS, where the function is one file without packages. */
function readViewerFile(name: string): string | undefined {
  try {
    return readFileSync(createRequire(import.meta.url).resolve(`#api-viewer/${name}`), 'utf8');
  } catch {
    return undefined;
  }
}

/** The document is built when it is first asked for: most processes never are. */
export function mountViewer(app: Hono, build: () => object): void {
  let document: object | undefined;
  app.get('/openapi.json', (context) => {
    document ??= build();
    return context.json(document);
  });
  app.get('/docs', (context) =>
    readViewerFile('swagger-ui.css') === undefined
      ? context.redirect('openapi.json')
      : context.html(page, 200, { 'content-security-policy': policy }),
  );
  app.get('/docs/start.js', (context) => context.body(start, 200, { 'content-type': 'text/javascript' }));
  for (const [name, contentType] of Object.entries(files)) {
    app.get(`/docs/${name}`, (context) => {
      const text = readViewerFile(name);
      return text === undefined ? context.notFound() : context.body(text, 200, { 'content-type': contentType });
    });
  }
}
