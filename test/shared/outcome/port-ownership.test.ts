// A port that belongs to no request of simporter is never adopted.
import { expect, test } from 'vitest';
import { hasExactly, isPortOf, type PortReading } from '#shared/outcome/port-snapshot.ts';
import { double } from '../../support/double.ts';

const token = 'sim1-0123456789abcdef';
const portWith = (name: string, ...numbers: readonly string[]) =>
  double<PortReading>({ name, rows: numbers.map((msisdn) => ({ msisdn, statusName: 'Submitted' })) });
const sent = ['447700900001', '447700900002'];

test.each<[string, boolean, readonly string[]]>([
  ['the same numbers in another order and form', true, ['07700900002', '447700900001']],
  ['one number more', false, [...sent, '447700900003']],
  ['one number less', false, ['447700900001']],
  ['another number', false, ['447700900001', '447700900003']],
])('a port with %s has exactly the numbers: %s', (_, expected, numbers) => {
  expect(hasExactly(sent, portWith('', ...numbers), '44')).toBe(expected);
});

test('a request without numbers has no port, not even an empty one', () => {
  expect(hasExactly([], portWith(''), '44')).toBe(false);
});

test('the token in the name decides, whatever the numbers are', () => {
  expect(isPortOf(token, portWith(`Group ${token}`, '447700900009'), sent, '44')).toBe(true);
  expect(isPortOf(token, portWith('Group sim1-fedcba9876543210', ...sent), sent, '44')).toBe(false);
});

test('a port whose name has no token belongs to the request with its numbers', () => {
  expect(isPortOf(token, portWith('Group', ...sent), sent, '44')).toBe(true);
  expect(isPortOf(token, portWith('Group', '447700900001'), sent, '44')).toBe(false);
});

test('a port whose name has no token is accepted where the plan has expired', () => {
  expect(isPortOf(token, portWith('Group', '447700900009'), undefined, '44')).toBe(true);
});
