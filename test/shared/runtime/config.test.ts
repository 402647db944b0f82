import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseEnvironment } from '#shared/runtime/config.ts';

test('a list of networks is split at its semicolons', () => {
  const environment = parseEnvironment({ BUNDLE_CONTROL_NETWORKS: 'Network A;201' }, ['BUNDLE_CONTROL_NETWORKS']);
  expect(environment.BUNDLE_CONTROL_NETWORKS).toEqual(['Network A', '201']);
});

test('an optional variable may be missing', () => {
  expect(parseEnvironment({}, ['BUNDLE_CONTROL_NETWORKS', 'CALENDAR_FILE'])).toEqual({});
});

test('all missing and wrong variables are named at once', () => {
  const read = () => parseEnvironment({ LOCKING_HOUR: '24' }, ['LOCKING_HOUR', 'INBOX_BUCKET', 'SERVICE_BASE_URL']);
  expect(read).toThrow(/LOCKING_HOUR[\s\S]*INBOX_BUCKET|INBOX_BUCKET[\s\S]*LOCKING_HOUR/);
  expect(read).toThrow(/SERVICE_BASE_URL/);
});

test('from then on, parse errors are in English', () => {
  parseEnvironment({}, []);
  const { error } = z.object({ total: z.int() }).safeParse({ total: 'x' });
  expect(error && z.prettifyError(error)).toBe('✖ Invalid input: expected number, received string\n  → at total');
});
