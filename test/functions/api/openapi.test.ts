// The OpenAPI document of the API, and the types that clients derive from the contract.
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, expectTypeOf, test } from 'vitest';
import { createApi } from '#functions/api/app.ts';
import { bindHandlers, readHandlers } from '#functions/api/handlers.ts';
import { openApiDocument } from '#functions/api/openapi.ts';
import type { AnswerOf, BodyInput, BodyOf, PathInput, PathOf, QueryInput, QueryOf } from '#shared/api/contract.ts';
import { contract, type RouteShapes } from '#shared/api/contract.ts';
import { apiPrefix, type Route, type RouteName, routes } from '#shared/api/route-table.ts';
import { silentLog } from '../../support/results-rig.ts';

const names = Object.keys(routes) as RouteName[];
const document = openApiDocument(names);

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
  const handlers = bindHandlers(readHandlers, {} as never);
  const limit = { perSecond: 1, burst: 1 };
  const app = createApi({ handlers, limit, wall: () => 0, log: silentLog });
  const answer = (await (await app.request(`${apiPrefix}/openapi.json`)).json()) as typeof document;
  const operations = Object.values(answer.paths).flatMap((methods) => Object.values(methods));
  const onAws = names.filter((name) => (routes[name] as Route).localOnly !== true);
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(onAws.sort());
});

test('the parameters of every path are exactly those of its schema', () => {
  for (const name of names) {
    const { path }: Route = routes[name];
    const shapes: RouteShapes = contract[name];
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    expect(Object.keys(shapes.path?.shape ?? {}).sort(), name).toEqual(inPath.sort());
  }
});

test('every route that changes something needs more than the role viewer', () => {
  for (const name of names) {
    const { method, role }: Route = routes[name];
    if (method !== 'GET') expect(role, name).not.toBe('viewer');
  }
});

test('a client and the server derive their types from the contract', () => {
  expectTypeOf<PathInput<'getImport'>>().toEqualTypeOf<{ importId: string }>();
  expectTypeOf<QueryInput<'listImports'>>().toExtend<{ limit?: string | undefined }>();
  expectTypeOf<QueryOf<'listImports'>>().toExtend<{ limit?: number | undefined }>();
  expectTypeOf<BodyInput<'approveImport'>>().toExtend<{ planHash: string }>();
  expectTypeOf<BodyOf<'cancelRows'>['lines']>().toEqualTypeOf<number[]>();
  expectTypeOf<PathOf<'getRequest'>>().toEqualTypeOf<{ importId: string; request: number }>();
  expectTypeOf<AnswerOf<'getMe'>['name']>().toEqualTypeOf<string>();
  expectTypeOf<AnswerOf<'abortUpload'>>().toEqualTypeOf<undefined>();
});
