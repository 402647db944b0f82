import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { type BatchStatement, executeStatements, insertStatement } from '#shared/store/batch-statements.ts';

const statements = (count: number): BatchStatement[] =>
  Array.from({ length: count }, (_, index) => ({ text: `statement ${index}`, parameters: [] }));

interface Sent {
  readonly Statement: string;
}

/** Answers each statement with the error code of `codeOf`, or with success. */
function clientThat(codeOf: (statement: string, call: number) => string | undefined) {
  const batches: string[][] = [];
  const send = async (command: { input: { Statements: Sent[] } }) => {
    const texts = command.input.Statements.map(({ Statement }) => Statement);
    batches.push(texts);
    return {
      Responses: texts.map((text) => {
        const code = codeOf(text, batches.length);
        return code === undefined ? {} : { Error: { Code: code, Message: 'no' } };
      }),
    };
  };
  return { client: { send } as unknown as DynamoDBDocumentClient, batches };
}
const patient = { attempts: 5, pause: async () => {} };

test('sends 25 statements a call, and returns their outcomes in order', async () => {
  const { client, batches } = clientThat((text) => (text === 'statement 26' ? 'DuplicateItem' : undefined));
  const outcomes = await executeStatements(client, statements(60), patient);
  expect(batches.map((batch) => batch.length)).toEqual([25, 25, 10]);
  expect(outcomes.indexOf('declined')).toBe(26);
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(59);
});

test('fault 25: only the throttled statements of a batch are sent again', async () => {
  const { client, batches } = clientThat((text, call) =>
    call === 1 && text.endsWith('3') ? 'ProvisionedThroughputExceeded' : undefined,
  );
  expect(await executeStatements(client, statements(5), patient)).toEqual(Array(5).fill('done'));
  expect(batches[1]).toEqual(['statement 3']);
});

test('fault 50: a statement that stays throttled is an error after the last attempt, never a silent loss', async () => {
  const { client } = clientThat(() => 'ThrottlingError');
  await expect(executeStatements(client, statements(2), patient)).rejects.toThrow('2 writes are still throttled');
});

test('a statement that can never succeed is an error at once', async () => {
  const { client, batches } = clientThat(() => 'ValidationError');
  await expect(executeStatements(client, statements(1), patient)).rejects.toThrow('ValidationError');
  expect(batches).toHaveLength(1);
});

test('an insert names every attribute that has a value', () => {
  expect(insertStatement('results', { pk: 'a', sk: 'b', dueAt: undefined, rows: 3 })).toEqual({
    text: `INSERT INTO "results" VALUE {'pk': ?, 'sk': ?, 'rows': ?}`,
    parameters: ['a', 'b', 3],
  });
});

test('a hundred statements are sent at the same time, 25 a call', async () => {
  let under = 0;
  let most = 0;
  const client = {
    send: async ({ input }: { input: { Statements: Sent[] } }) => {
      under += 1;
      most = Math.max(most, under);
      await new Promise((done) => setImmediate(done));
      under -= 1;
      return { Responses: input.Statements.map(() => ({})) };
    },
  } as unknown as DynamoDBDocumentClient;
  expect(await executeStatements(client, statements(130), patient)).toEqual(Array(130).fill('done'));
  expect(most).toBe(4);
});

test.each([
  'RequestLimitExceeded',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'InternalServerError',
  'TransactionConflict',
])('%s is temporary: the statement is sent again, after a pause for each attempt', async (code) => {
  const pauses: number[] = [];
  const { client, batches } = clientThat((_, call) => (call < 3 ? code : undefined));
  const pause = async (attempt: number) => void pauses.push(attempt);
  expect(await executeStatements(client, statements(1), { attempts: 3, pause })).toEqual(['done']);
  expect([batches.length, pauses]).toEqual([3, [1, 2]]);
  const { client: stuck } = clientThat(() => code);
  await expect(executeStatements(stuck, statements(1), { attempts: 3, pause })).rejects.toThrow('still throttled');
  expect(pauses).toEqual([1, 2, 1, 2]);
});

test.each(['DuplicateItem', 'ConditionalCheckFailed'])('%s is an answer: declined', async (code) => {
  const { client, batches } = clientThat(() => code);
  expect(await executeStatements(client, statements(1), patient)).toEqual(['declined']);
  expect(batches).toHaveLength(1);
});

test('a statement is sent with its parameters', async () => {
  const sent: unknown[] = [];
  const client = {
    send: async ({ input }: { input: { Statements: unknown[] } }) => {
      sent.push(...input.Statements);
      return {};
    },
  } as unknown as DynamoDBDocumentClient;
  await executeStatements(client, [{ text: 'statement', parameters: ['a', 1] }], patient);
  expect(sent).toEqual([{ Statement: 'statement', Parameters: ['a', 1] }]);
});

test('a statement without an answer was written', async () => {
  const client = { send: async () => ({ Responses: [] }) } as unknown as DynamoDBDocumentClient;
  expect(await executeStatements(client, statements(2), patient)).toEqual(['done', 'done']);
});
