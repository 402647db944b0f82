// Numbers, sizes, days and instants as the console writes them.
import { expect, test } from 'vitest';
import { formatBytes, formatDay, formatInstant, formatMonth, formatTime } from '../../console/text/format.ts';

const instant = '2026-07-03T09:42:00.000Z';

test.each([
  [formatBytes(812), '812 bytes'],
  [formatBytes(1_400_000), '1.4 MB'],
  [formatDay('2026-07-03'), '3 Jul 2026'],
  [formatDay('soon'), 'soon'],
  [formatMonth('2026-07-01'), 'July 2026'],
  [formatInstant(instant, 'Europe/London'), '3 Jul 2026, 10:42'],
  [formatTime(instant, 'Europe/Berlin'), '11:42'],
])('a text of the page is %s', (written, expected) => {
  expect(written).toBe(expected);
});
