import { expect, it } from 'vitest';
import { speedText } from '#cli/speed-text.ts';

it.each([
  [1, 'in real time'],
  [1440, '1,440 times as fast: one calendar day a minute'],
  [14_400, '14,400 times as fast: one calendar day every 6 seconds'],
  [288, '288 times as fast: one calendar day every 5 minutes'],
])('says what a speed of %d means', (speed, text) => {
  expect(speedText(speed)).toBe(text);
});
