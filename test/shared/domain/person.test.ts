// What is kept of a person who asked for something.
import { describe, expect, test } from 'vitest';
import { askedAs } from '#shared/domain/person.ts';

describe('who asked', () => {
  test('is kept with the reason, where one was given', () => {
    expect(askedAs({ by: 'ada', because: 'agreed\nwith Ben ' })).toEqual({ by: 'ada', because: 'agreed with Ben' });
    expect(askedAs({ by: 'ada' })).toEqual({ by: 'ada' });
    expect(askedAs({ by: 'ada' })).not.toHaveProperty('because');
    expect(askedAs({ by: 'ada', because: ' \n ' })).not.toHaveProperty('because');
  });

  test.each([{}, { by: '' }, { by: ' \n' }])('is unknown where nobody said it: %j', (asking) => {
    expect(askedAs(asking)).toEqual({ by: 'unknown' });
  });

  test('is cut where it is long: a name at 60 characters, a reason at 200', () => {
    const { by, because = '' } = askedAs({ by: 'x'.repeat(300), because: 'y'.repeat(300) });
    expect([by.length, because.length]).toEqual([60, 200]);
    expect(askedAs({ by: `${'x'.repeat(59)} yyy` }).by).toBe('x'.repeat(59));
  });

  test('holds nothing that looks like a PAC (decision 44)', () => {
    expect(JSON.stringify(askedAs({ by: 'ABC123456', because: 'the PAC was ABC123456' }))).not.toContain('ABC123456');
  });
});
