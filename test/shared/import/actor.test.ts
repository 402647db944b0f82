// What is stored about the person who gave a command.
import { describe, expect, test } from 'vitest';
import { principalOf, requestedByOf } from '#shared/import/approval.ts';

test.each([
  ['AWS:AIDAEXAMPLE', 'AIDAEXAMPLE'],
  ['AROAEXAMPLE:AWS:ada', 'AROAEXAMPLE:AWS:ada'],
  ['x'.repeat(300), 'x'.repeat(100)],
  ['', undefined],
  [undefined, undefined],
])('the principal %j is stored as %j', (written, stored) => {
  expect(principalOf(written)).toBe(stored);
});

describe('the actor', () => {
  test('is stored with the principal of AWS, if it named one', () => {
    expect(requestedByOf({ by: 'ada', principal: 'AIDAEXAMPLE' })).toEqual({ by: 'ada', principal: 'AIDAEXAMPLE' });
    expect(requestedByOf({ by: 'ada' })).not.toHaveProperty('principal');
  });

  test('is stored with the reason, if there is one', () => {
    expect(requestedByOf({ by: 'ada', because: 'agreed\nwith Ben ' })).toEqual({
      by: 'ada',
      because: 'agreed with Ben',
    });
    expect(requestedByOf({ by: 'ada' })).toEqual({ by: 'ada' });
    expect(requestedByOf({ by: 'ada' })).not.toHaveProperty('because');
    expect(requestedByOf({ by: 'ada', because: ' \n ' })).not.toHaveProperty('because');
  });

  test.each([{}, { by: '' }, { by: ' \n' }])('is unknown if not given: %j', (actor) => {
    expect(requestedByOf(actor)).toEqual({ by: 'unknown' });
  });

  test('is truncated: a name to 60 characters, a reason to 200', () => {
    const { by, because = '' } = requestedByOf({ by: 'x'.repeat(300), because: 'y'.repeat(300) });
    expect([by.length, because.length]).toEqual([60, 200]);
    expect(requestedByOf({ by: `${'x'.repeat(59)} yyy` }).by).toBe('x'.repeat(59));
  });

  test('contains nothing that looks like a PAC (spec gap 44)', () => {
    expect(JSON.stringify(requestedByOf({ by: 'ABC123456', because: 'the PAC was ABC123456' }))).not.toContain(
      'ABC123456',
    );
  });
});
