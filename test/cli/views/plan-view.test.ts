import { expect, it } from 'vitest';
import { formatSizes } from '#cli/views/plan-view.ts';

it('groups requests of equal size, the largest first', () => {
  expect(formatSizes([100, 42, 100, 100, 7])).toBe('3 x 100, 42, 7');
  expect(formatSizes([1])).toBe('1');
});
