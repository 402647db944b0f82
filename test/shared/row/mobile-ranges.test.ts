// The table of mobile numbers is that of libphonenumber-js.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mobileRangesSource } from '../../support/files/mobile-ranges.ts';

const file = join(import.meta.dirname, '../../../shared/row/mobile-ranges.ts');

test('the table of mobile ranges is the one that the library’s metadata gives', async () => {
  await expect(mobileRangesSource()).toMatchFileSnapshot(file);
});
