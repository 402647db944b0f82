import { expect, it } from 'vitest';
import { sizesText } from '#cli/show-plan.ts';

it('tells equal requests together, the largest first', () => {
  expect(sizesText([100, 42, 100, 100, 7])).toBe('3 x 100, 42, 7');
  expect(sizesText([1])).toBe('1');
});
