// The OpenAPI document and the page made of it.
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { startTestService } from '../../support/porting-service.ts';

interface Operation {
  operationId: string;
  tags: string[];
  responses: object;
}

/** Made by `npm run -s service -- --openapi > docs/porting-service.openapi.json`, then `npm run format`. */
const committed = new URL('../../../docs/porting-service.openapi.json', import.meta.url);

test('the document that is served is the one in docs/', async () => {
  const service = await startTestService();
  const reply = await service.call('GET', '/openapi.json');
  expect(reply.body.openapi).toBe('3.1.0');
  expect(reply.body).toEqual(JSON.parse(readFileSync(committed, 'utf8')));
});

test('the document is valid OpenAPI 3.1 for a validator that is not ours', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(readFileSync(committed, 'utf8')));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('every reference in the document leads somewhere, and every named shape is used', async () => {
  const service = await startTestService();
  const { body, text } = await service.call('GET', '/openapi.json');
  const references = new Set(text.matchAll(/"#\/components\/schemas\/(\w+)"/g).map(([, name]) => name));
  expect([...references].sort()).toEqual(Object.keys(body.components.schemas).sort());
});

test('every operation has its own id, a tag that is listed, and an answer that is no error', async () => {
  const service = await startTestService({ sandbox: true });
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
  const service = await startTestService();
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

test('the page works offline: it names no other address', async () => {
  const service = await startTestService();
  const { text, headers } = await service.call('GET', '/docs');
  expect(headers.get('content-type')).toContain('text/html');
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(text).not.toContain('<script');
});

test('the page has every operation and every shape, and its links lead somewhere', async () => {
  const service = await startTestService({ sandbox: true });
  const { text } = await service.call('GET', '/docs');
  const ids = new Set(text.matchAll(/ id="(\w+)"/g).map(([, id]) => id));
  for (const [, target] of text.matchAll(/href="#(\w+)"/g)) expect(ids).toContain(target);
  expect(ids.size).toBeGreaterThan(50);
});
