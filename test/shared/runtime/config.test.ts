import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseEnvironment } from '#shared/runtime/config.ts';

test('an optional variable may be missing', () => {
  expect(parseEnvironment({}, ['CALENDAR_FILE'])).toEqual({});
});

test('all missing and wrong variables are named at once', () => {
  const read = () => parseEnvironment({ LEASE_SECONDS: '-1' }, ['LEASE_SECONDS', 'INBOX_BUCKET', 'INGEST_QUEUE_URL']);
  for (const name of ['LEASE_SECONDS', 'INBOX_BUCKET', 'INGEST_QUEUE_URL']) expect(read).toThrow(name);
});

test('from then on, parse errors are in English', () => {
  parseEnvironment({}, []);
  const { error } = z.object({ total: z.int() }).safeParse({ total: 'x' });
  expect(error && z.prettifyError(error)).toBe('✖ Invalid input: expected number, received string\n  → at total');
});
