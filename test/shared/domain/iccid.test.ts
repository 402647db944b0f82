import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { hasValidCheckDigit, parseIccid } from '#shared/domain/iccid.ts';

describe('reading a serial', () => {
  test.each(['8944110065123456783', "'8944110065123456783", '8944 1100 6512 3456 783', '8944-1100-6512-3456-783'])(
    'accepts %j',
    (text) => expect(parseIccid(text)).toEqual({ ok: true, value: '8944110065123456783' }),
  );

  test('a usual serial costs one look at its characters: no part of it is cut out or replaced', () => {
    const replace = vi.spyOn(String.prototype, 'replace');
    expect(parseIccid('8944110065123456783').ok).toBe(true);
    expect(replace).not.toHaveBeenCalled();
    replace.mockRestore();
  });

  test('accepts 20 digits', () => {
    expect(parseIccid('89441100651234567849')).toMatchObject({ ok: true, value: '89441100651234567849' });
  });

  test('a check digit that does not fit is a warning', () => {
    expect(parseIccid('8944110065123456785')).toMatchObject({
      ok: true,
      finding: { code: 'ICCID_CHECK_DIGIT', severity: 'warning' },
    });
  });

  test.each([
    ['', 'got 0'],
    ['894411006512345678', 'got 18'],
    ['894411006512345678901', 'got 21'],
    ['1944110065123456784', 'beginning with 89'],
    ['8944110065123456783F', 'filler'],
    ['89441100651234567O4', 'character 18 is "O"'],
  ])('%j is no serial: %s', (text, lesson) => {
    const parsed = parseIccid(text);
    expect(parsed).toMatchObject({ ok: false, finding: { code: 'ICCID_SHAPE' } });
    expect(parsed.finding?.message).toContain(lesson);
  });

  test.each([' 8944110065123456783', " '8944110065123456783", '8944110065123456783\t', "' 8944110065123456783"])(
    'takes what stands around %j for nothing',
    (text) => expect(parseIccid(text)).toEqual({ ok: true, value: '8944110065123456783' }),
  );

  test.each([
    // Each passes its own check digit, so only the look at its shape can refuse it.
    ['x8944110065123456783', 'character 1 is "x"'],
    ['+8944110065123456783', 'character 1 is "+"'],
    ['8944110065123456783x', 'character 20 is "x"'],
    ["8944110065'123456783", 'character 11 is'],
    ['x8.94E+18', 'character 1 is "x"'],
    ['8.94E+18x', 'character 2 is "."'],
    ['x944110065123456784', 'character 1 is "x"'],
    ['18944110065123456783F', 'character 21 is "F"'],
    ['8944110065123456783F1', 'character 20 is "F"'],
  ])('%j is no serial with something beside it: %s', (text, lesson) => {
    const parsed = parseIccid(text);
    expect(parsed).toMatchObject({ ok: false, finding: { code: 'ICCID_SHAPE' } });
    expect(parsed.finding?.message).toContain(lesson);
  });

  test('zeros among the last digits are no work of Excel while others stand beside them', () => {
    expect(parseIccid('8944110065123450123').finding?.code).not.toBe('ICCID_EXCEL_SCIENTIFIC');
    expect(parseIccid('8944110065123451000').finding?.code).not.toBe('ICCID_EXCEL_SCIENTIFIC');
    expect(parseIccid('8944110065123451230').finding?.code).not.toBe('ICCID_EXCEL_SCIENTIFIC');
  });

  test.each(['8.94E+18', '89E17', '89e+17', '894E+16', '8,9441E+18', '8.94411006512346e18'])(
    '%j gets the lesson about Excel',
    (text) => {
      expect(parseIccid(text)).toMatchObject({ ok: false, finding: { code: 'ICCID_EXCEL_SCIENTIFIC' } });
    },
  );

  test.each(['8944110065123440000', '89441100651234500000'])('%j has lost its last digits to Excel', (text) => {
    expect(parseIccid(text)).toMatchObject({ ok: false, finding: { code: 'ICCID_EXCEL_SCIENTIFIC' } });
  });

  test('zeros at the end are a warning where the check digit fits', () => {
    expect(parseIccid('8944110065123450000')).toMatchObject({
      ok: true,
      finding: { code: 'ICCID_EXCEL_SCIENTIFIC', severity: 'warning' },
    });
  });
});

test('exactly one last digit fits, and any single wrong digit is seen', () => {
  const digits = fc.stringMatching(/^89\d{16}$/);
  fc.assert(
    fc.property(digits, fc.nat(17), fc.integer({ min: 1, max: 9 }), (body, place, shift) => {
      const fitting = [...'0123456789'].filter((last) => hasValidCheckDigit(body + last));
      expect(fitting).toHaveLength(1);
      const wrong = [...body];
      wrong[place] = String((Number(wrong[place]) + shift) % 10);
      expect(hasValidCheckDigit(wrong.join('') + fitting[0])).toBe(false);
    }),
  );
});
