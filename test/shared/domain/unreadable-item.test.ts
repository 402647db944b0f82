import { expect, test } from 'vitest';
import { UnreadableItem } from '#shared/domain/unreadable-item.ts';

test('an item that cannot be read tells its place, and what is wrong with it', () => {
  const error = new UnreadableItem('port#p port', 'line: Invalid input');
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toBe('UnreadableItem: port#p port: line: Invalid input');
  expect(error.place).toBe('port#p port');
});
