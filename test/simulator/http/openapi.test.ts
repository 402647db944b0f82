// The OpenAPI document and its viewer.
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { submissionBodies } from '#shared/service/contract.ts';
import { answerCheckerOf } from '../../support/service/openapi-answers.ts';
import { startTestSimulator } from '../../support/service/simulator.ts';

interface Operation {
  operationId: string;
  tags: string[];
  responses: object;
}

const makesIt = 'npm run -s service -- --openapi > docs/reference/simulator.openapi.json; then npm run format';
const committed = new URL('../../../docs/reference/simulator.openapi.json', import.meta.url);

test('the document that is served is the one in docs/', async () => {
  const service = await startTestSimulator();
  const reply = await service.call('GET', '/openapi.json');
  expect(reply.body.openapi).toBe('3.1.0');
  expect(reply.body, makesIt).toEqual(JSON.parse(readFileSync(committed, 'utf8')));
});

test('every submission of the contract has its endpoint', async () => {
  const service = await startTestSimulator();
  const { document } = await answerCheckerOf(service);
  expect(Object.keys(submissionBodies).filter((path) => document.paths[path]?.post === undefined)).toEqual([]);
});

test('the document is valid OpenAPI 3.1 for a validator that is not ours', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(readFileSync(committed, 'utf8')));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('every reference in the document exists, and every named schema is used', async () => {
  const service = await startTestSimulator();
  const { body, text } = await service.call('GET', '/openapi.json');
  const references = new Set(text.matchAll(/"#\/components\/schemas\/(\w+)"/g).map(([, name]) => name));
  expect([...references].sort()).toEqual(Object.keys(body.components.schemas).sort());
});

test('every operation has a unique id, a tag that is listed, and an answer that is not an error', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const { body } = await service.call('GET', '/openapi.json');
  const operations = Object.values(body.paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
    Object.values(methods),
  );
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { tags, responses } of operations) {
    expect(body.tags.map(({ name }: { name: string }) => name)).toContain(tags[0]);
    expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
  }
});

test('every parameter in a path is described, and no other', async () => {
  const service = await startTestSimulator();
  const { body } = await service.call('GET', '/openapi.json');
  for (const [path, methods] of Object.entries(
    body.paths as Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>,
  )) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters = [] } of Object.values(methods)) {
      expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath);
    }
  }
});

test('the viewer works offline: its page names its own files only, and all of them are served', async () => {
  const service = await startTestSimulator();
  const { text, headers } = await service.call('GET', '/docs');
  expect(headers.get('content-type')).toContain('text/html');
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
  const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file);
  expect(files).toEqual(['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/start.js']);
  for (const file of files) expect((await service.call('GET', `/${file}`)).status).toBe(200);
  const start = await service.call('GET', '/docs/start.js');
  expect(start.text).toContain("url: 'openapi.json'");
  expect(start.text).toContain('validatorUrl: null');
});

test('every request body and every successful answer has an example, and each fits its schema', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const { document, schemaDifferences } = await answerCheckerOf(service);
  const media = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, requestBody, responses }) => [
      ...Object.values(requestBody?.content ?? {}).map((each) => ({ name: operationId, ...each })),
      ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).map((each) => ({ name: `${operationId} ${status}`, ...each })),
      ),
    ]);
  expect(media.length).toBeGreaterThan(200);
  const opaque = ['sandboxSnapshot 200', 'sandboxRestoreSnapshot', 'sandboxDump 200'];
  expect(media.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual(opaque);
  for (const { name, schema, example } of media) {
    if (example !== undefined) expect([name, schemaDifferences(schema, example)]).toEqual([name, []]);
  }
});

test('the example of every request succeeds', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const { document } = await answerCheckerOf(service);
  const example = (method: string, path: string) =>
    document.paths[path]?.[method]?.requestBody?.content['application/json']?.example;
  const requests = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => example(method, path) !== undefined && !path.includes('{portId}'))
      .map((method) => ({ method: method.toUpperCase(), path, body: example(method, path) })),
  );
  expect(requests.length).toBeGreaterThan(9);
  for (const { method, path, body } of requests) {
    await service.call('POST', '/_sandbox/reset');
    const reply = await service.call(method, path.replace('{accountId}', '1001'), { body });
    expect([path, Math.floor(reply.status / 100)]).toEqual([path, 2]);
  }
});

test('the choices change the document: the status of a submission is the chosen one', async () => {
  const service = await startTestSimulator({ choices: { 'submission-status': '202' } });
  const { document } = await answerCheckerOf(service);
  expect(Object.keys(document.paths['/api/simSubmission/SendSms']?.post?.responses ?? {})).toContain('202');
});

/** Every status that an operation declares, except what a fault or a failure answers. */
const declared = [
  ['createPort', '201 400 401 403 409 413 415 422'],
  ['updatePort', '202 400 401 403 404 409 413 415 422'],
  ['cancelPort', '202 400 401 403 404 409'],
  ['provision', '200 400 401 409 413 415 422'],
  ['changeProvision', '200 400 401 409 413 415 422'],
  ['sendSms', '200 400 401 409 413 415 422'],
  ['barServiceConfig', '200 400 401 413 415 422'],
  ['simSubmission', '200 400 401 413 415 422'],
  ['configureBundleControl', '200 400 401 413 415 422'],
  ['listPorts', '200 400 401 403'],
  ['getPort', '200 400 401 403 404'],
  ['getProvisioningOrders', '200 400 401 403 404 409'],
  ['getSimServices', '200 400 401 404'],
  ['getCompanies', '200 401'],
] as const;

test.each(declared)(
  '%s declares %s, and what a limit, a gateway or a failure answers',
  async (operationId, statuses) => {
    const { document } = await answerCheckerOf(await startTestSimulator());
    const operation = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .find((each) => each.operationId === operationId);
    expect(Object.keys(operation?.responses ?? {}).sort()).toEqual(
      [...statuses.split(' '), '429', '500', '503', '5XX'].sort(),
    );
  },
);
