import { expect, it } from 'vitest';
import { formatSpeed } from '#cli/views/speed-text.ts';

it.each([
  [1, 'in real time'],
  [1440, '1,440 times real time: one calendar day a minute'],
  [14_400, '14,400 times real time: one calendar day every 6 seconds'],
  [288, '288 times real time: one calendar day every 5 minutes'],
])('explains a speed of %d', (speed, text) => {
  expect(formatSpeed(speed)).toBe(text);
});
