import { expect, it } from 'vitest';
import { counted } from '#shared/domain/text/counted.ts';

it('uses the singular for one, and separates thousands', () => {
  expect([counted(1, 'row'), counted(1234, 'row')]).toEqual(['1 row', '1,234 rows']);
});
