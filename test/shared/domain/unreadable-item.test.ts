import { expect, test } from 'vitest';
import { UnreadableItem, UnwritableItem } from '#shared/domain/unreadable-item.ts';

test('an item that cannot be read tells its place, and what is wrong with it', () => {
  const error = new UnreadableItem('port#p port', 'line: Invalid input');
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toBe('UnreadableItem: port#p port: line: Invalid input');
  expect(error.place).toBe('port#p port');
});

test('an item that the table does not take is told from one that cannot be read', () => {
  const error = new UnwritableItem('port#port-1', 'too large');
  expect(error).toBeInstanceOf(UnreadableItem);
  expect([error.name, error.message]).toEqual(['UnwritableItem', 'port#port-1: too large']);
});
