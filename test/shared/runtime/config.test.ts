import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseEnvironment } from '#shared/runtime/config.ts';

test('a list of networks comes apart at its semicolons', () => {
  const environment = parseEnvironment({ BUNDLE_CONTROL_NETWORKS: 'Network A;201' }, ['BUNDLE_CONTROL_NETWORKS']);
  expect(environment.BUNDLE_CONTROL_NETWORKS).toEqual(['Network A', '201']);
});

test('what may be left out is left out', () => {
  expect(parseEnvironment({}, ['BUNDLE_CONTROL_NETWORKS', 'CALENDAR_SPEED'])).toEqual({});
});

test('everything that is missing or wrong is named at once', () => {
  const read = () => parseEnvironment({ LOCKING_HOUR: '24' }, ['LOCKING_HOUR', 'INBOX_BUCKET', 'SERVICE_BASE_URL']);
  expect(read).toThrow(/LOCKING_HOUR[\s\S]*INBOX_BUCKET|INBOX_BUCKET[\s\S]*LOCKING_HOUR/);
  expect(read).toThrow(/SERVICE_BASE_URL/);
});

test('from then on, all that does not parse is told in English', () => {
  parseEnvironment({}, []);
  const { error } = z.object({ total: z.int() }).safeParse({ total: 'x' });
  expect(error && z.prettifyError(error)).toBe('✖ Invalid input: expected number, received string\n  → at total');
});
