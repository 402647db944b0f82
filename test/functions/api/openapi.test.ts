// The OpenAPI document of the API, and the types that clients derive from the contract.
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { bindEndpoints, createApi } from '#functions/api/app.ts';
import type { Addresses, AnswerOf, BodyInput, PathInput, QueryInput } from '#functions/api/contract.ts';
import { endpoint } from '#functions/api/http/endpoint.ts';
import committed from '#functions/api/openapi.json' with { type: 'json' };
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { numberText } from '#functions/api/schemas.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { buildOpenApiDocument, descriptions, type EndpointName } from '../../support/api-openapi.ts';
import { silentLog } from '../../support/results-rig.ts';

const names = Object.keys(descriptions) as EndpointName[];
const document = buildOpenApiDocument();

/** Made by `node test/support/api-openapi.ts`, then `npm run format`. */
test('the document that the API answers is the one of its endpoints', () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(document)));
});

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

// On AWS one function reads and another one writes, and the one that reads answers the document.
test('a function that only reads describes all routes, without those of a local simulator', async () => {
  const endpoints = bindEndpoints(readEndpoints, {} as never);
  const limit = { perSecond: 1, burst: 1 };
  const app = createApi({ endpoints, limit, wall: () => 0, log: silentLog });
  const answer = (await (await app.request(`${apiPrefix}/openapi.json`)).json()) as typeof document;
  const operations = Object.values(answer.paths).flatMap((methods) => Object.values(methods));
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
  const described = { method: 'GET', path: '/', role: 'viewer', summary: '', answer: numberText } as const;
  endpoint({ ...described, accepts: { query: z.object({ limit: numberText }) } }, async ({ path, query }) => {
    expectTypeOf(query).toEqualTypeOf<{ limit: number }>();
    expectTypeOf(path).toEqualTypeOf<undefined>();
    return query.limit;
  });
});
