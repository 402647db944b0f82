// The OpenAPI document of the API, and the types that clients derive from the contract.
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import type { Addresses, AnswerOf, BodyInput, EndpointName, PathInput, QueryInput } from '#functions/api/contract.ts';
import { endpoint } from '#functions/api/http/endpoint.ts';
import { descriptions, openApiDocument } from '#functions/api/openapi-document.ts';
import { numberText } from '#functions/api/schemas.ts';
import { startApiWorld } from '../../support/api-world.ts';

const names = Object.keys(descriptions) as EndpointName[];
const document = openApiDocument({ hasSimulator: true });

test('the document is valid OpenAPI 3.1 for a validator that is not ours', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('every route is one operation of the document', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual([...names].sort());
});

test('the document that the API answers has no routes of a local simulator', async () => {
  const { body } = await startApiWorld().call('GET', '/openapi.json');
  const operations = Object.values(body.paths as typeof document.paths).flatMap((methods) => Object.values(methods));
  const onAws = names.filter((name) => descriptions[name].localOnly !== true);
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(onAws.sort());
});

test('the parameters of every path are exactly those of its schema', () => {
  for (const name of names) {
    const { path, accepts } = descriptions[name];
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    expect(Object.keys(accepts.path?.shape ?? {}).sort(), name).toEqual(inPath.sort());
  }
});

test('every route that changes something needs more than the role viewer', () => {
  for (const name of names) {
    const { method, role } = descriptions[name];
    if (method !== 'GET') expect(role, name).not.toBe('viewer');
  }
});

test('a client and the handler derive their types from the endpoint', () => {
  expectTypeOf<PathInput<'getImport'>>().toEqualTypeOf<{ importId: string }>();
  expectTypeOf<QueryInput<'listImports'>>().toExtend<{ limit?: string | undefined }>();
  expectTypeOf<BodyInput<'approveImport'>>().toExtend<{ planHash: string }>();
  expectTypeOf<AnswerOf<'getMe'>['name']>().toEqualTypeOf<string>();
  expectTypeOf<AnswerOf<'abortUpload'>>().toEqualTypeOf<undefined>();
  expectTypeOf<Addresses['getImport']>().toEqualTypeOf<'GET /imports/{importId}'>();
  const described = { at: 'GET /', role: 'viewer', summary: '', answer: numberText } as const;
  endpoint({ ...described, accepts: { query: z.object({ limit: numberText }) } }, async ({ path, query }) => {
    expectTypeOf(query).toEqualTypeOf<{ limit: number }>();
    expectTypeOf(path).toEqualTypeOf<undefined>();
    return query.limit;
  });
});
