// Both stores of the simulator, for tests of what must be the same with each.
import { afterAll, beforeAll } from 'vitest';
import { wallClock } from '#shared/runtime/clock.ts';
import { createDynamoDbStore } from '#simulator/store/dynamodb-store.ts';
import { createMemoryStore } from '#simulator/store/memory-store.ts';
import type { Store } from '#simulator/store/store.ts';
import { startDynamoDb, type TestDynamoDb } from './simulator-dynamodb.ts';

export const storeKinds = ['memory', 'DynamoDB'] as const;
type StoreKind = (typeof storeKinds)[number];

/** Starts DynamoDB for a test file. Returns what creates an empty store. */
export function useStores(): (kind: StoreKind) => Promise<Store> {
  let dynamoDb: TestDynamoDb;
  beforeAll(async () => {
    dynamoDb = await startDynamoDb();
  });
  afterAll(() => dynamoDb.stop());
  return async (kind) =>
    kind === 'memory' ? createMemoryStore() : createDynamoDbStore(await dynamoDb.newTable(), wallClock);
}
