// The OpenAPI document of the API, and the types that clients derive from the contract.
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import type { Addresses, AnswerOf, BodyInput, PathInput, QueryInput } from '#functions/api/contract.ts';
import { endpoint } from '#functions/api/http/endpoint.ts';
import { descriptions, openApiDocument, simulatorDescriptions } from '#functions/api/openapi-document.ts';
import { numberText } from '#functions/api/schemas.ts';
import { startApiWorld } from '../../support/api/simulated-api.ts';

const all = Object.entries({ ...descriptions, ...simulatorDescriptions });
const document = openApiDocument({ hasSimulator: true });

test('the document is valid OpenAPI 3.1 for a validator that is not ours', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...structuredClone(document) });
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('every route is one operation of the document', () => {
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(all.map(([name]) => name).sort());
});

test('the document that the API answers has no routes of a local simulator', async () => {
  const { body } = await startApiWorld().call('GET', '/openapi.json');
  const operations = Object.values(body.paths as NonNullable<typeof document.paths>).flatMap((methods) =>
    Object.values(methods),
  );
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(descriptions).sort());
});

test('the parameters of every path are exactly those of its schema', () => {
  for (const [name, { path, accepts }] of all) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    expect(Object.keys(accepts.path?.shape ?? {}).sort(), name).toEqual(inPath.sort());
  }
});

test('every route that changes something needs more than the role viewer', () => {
  for (const [name, { method, role }] of all) {
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
