import { expect, test } from 'vitest';
import { UnreadableItem, UnwritableItem } from '#shared/row/issue.ts';

test('an unreadable item has its place and the problem in the message', () => {
  const error = new UnreadableItem('port#p port', 'line: Invalid input');
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toBe('UnreadableItem: port#p port: line: Invalid input');
  expect(error.place).toBe('port#p port');
});

test('an item that the table rejects has its own error', () => {
  const error = new UnwritableItem('port#port-1', 'too large');
  expect(error).toBeInstanceOf(UnreadableItem);
  expect([error.name, error.message]).toEqual(['UnwritableItem', 'port#port-1: too large']);
});
