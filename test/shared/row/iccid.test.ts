import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { parseIccid } from '#shared/row/iccid.ts';

describe('reading a serial', () => {
  test.each(['8944110065123456783', "'8944110065123456783", '8944 1100 6512 3456 783', '8944-1100-6512-3456-783'])(
    'accepts %j',
    (text) => expect(parseIccid(text)).toEqual({ ok: true, value: '8944110065123456783' }),
  );

  test('removes every unusual blank and hyphen', () => {
    expect(parseIccid('8944\u00A01100\u20106512 3456-783')).toEqual({ ok: true, value: '8944110065123456783' });
    expect(parseIccid('\u202A8944\u22121100 6512 3456 783\u202C')).toEqual({ ok: true, value: '8944110065123456783' });
  });

  test.each(['8844110065123456783', '9944110065123456783'])('does not accept the start of %s', (text) => {
    const message = `The serial starts with ${text.slice(0, 2)}. A SIM serial starts with 89`;
    expect(parseIccid(text).finding).toMatchObject({ code: 'ICCID_SHAPE', message });
  });

  test('a usual serial is checked without cutting or replacing any part of it', () => {
    const replace = vi.spyOn(String.prototype, 'replace');
    expect(parseIccid('8944110065123456783').ok).toBe(true);
    expect(replace).not.toHaveBeenCalled();
    replace.mockRestore();
  });

  test('accepts 20 digits', () => {
    expect(parseIccid('89441100651234567849')).toMatchObject({ ok: true, value: '89441100651234567849' });
  });

  test('the F with which a SIM pads 19 digits is removed, with a notice', () => {
    expect(parseIccid('8944110065123456783F')).toMatchObject({
      value: '8944110065123456783',
      finding: { code: 'ICCID_PADDING_REMOVED', severity: 'notice' },
    });
  });

  test.each(['8944110065123456785', '8944110065123450000'])('a serial with padding is checked like %s', (text) => {
    expect(parseIccid(`${text}F`)).toEqual(parseIccid(text));
    expect(parseIccid(text).finding).toBeDefined();
  });

  test('a wrong check digit is a warning', () => {
    expect(parseIccid('8944110065123456785')).toMatchObject({
      ok: true,
      finding: { code: 'ICCID_CHECK_DIGIT', severity: 'warning' },
    });
  });

  test.each([
    ['', 'has 0 digits'],
    ['894411006512345678', 'has 18 digits'],
    ['894411006512345678901', 'has 21 digits'],
    ['1944110065123456784', 'starts with 89'],
    ['89441100651234567O4', 'Character 18 is "O"'],
  ])('%j is no serial: %s', (text, reason) => {
    const parsed = parseIccid(text);
    expect(parsed).toMatchObject({ ok: false, finding: { code: 'ICCID_SHAPE' } });
    expect(parsed.finding?.message).toContain(reason);
  });

  test.each([' 8944110065123456783', " '8944110065123456783", '8944110065123456783\t', "' 8944110065123456783"])(
    'ignores spaces and quotes around %j',
    (text) => expect(parseIccid(text)).toEqual({ ok: true, value: '8944110065123456783' }),
  );

  test.each([
    // Each has a correct check digit, so only its shape makes it invalid.
    ['x8944110065123456783', 'Character 1 is "x"'],
    ['+8944110065123456783', 'Character 1 is "+"'],
    ['8944110065123456783x', 'Character 20 is "x"'],
    ["8944110065'123456783", 'Character 11 is'],
    ['x8.94E+18', 'Character 1 is "x"'],
    ['8.94E+18x', 'Character 2 is "."'],
    ['x944110065123456784', 'Character 1 is "x"'],
    ['18944110065123456783F', 'Character 21 is "F"'],
    ['8944110065123456783F1', 'Character 20 is "F"'],
  ])('%j is no serial because of other characters: %s', (text, reason) => {
    const parsed = parseIccid(text);
    expect(parsed).toMatchObject({ ok: false, finding: { code: 'ICCID_SHAPE' } });
    expect(parsed.finding?.message).toContain(reason);
  });

  test('some zeros among the last digits do not point to Excel', () => {
    expect(parseIccid('8944110065123450123').finding?.code).not.toBe('ICCID_EXCEL_SCIENTIFIC');
    expect(parseIccid('8944110065123451000').finding?.code).not.toBe('ICCID_EXCEL_SCIENTIFIC');
    expect(parseIccid('8944110065123451230').finding?.code).not.toBe('ICCID_EXCEL_SCIENTIFIC');
  });

  test.each(['8.94E+18', '89E17', '89e+17', '894E+16', '8,9441E+18', '8.94411006512346e18'])(
    '%j has the error about Excel',
    (text) => {
      expect(parseIccid(text)).toMatchObject({ ok: false, finding: { code: 'ICCID_EXCEL_SCIENTIFIC' } });
    },
  );

  test.each(['8944110065123440000', '89441100651234500000'])('%j lost its last digits in Excel', (text) => {
    expect(parseIccid(text)).toMatchObject({ ok: false, finding: { code: 'ICCID_EXCEL_SCIENTIFIC' } });
  });

  test('only serials that end in zeros count as rounded, whatever the finding says', () => {
    const isRounded = (text: string) => parseIccid(text).finding?.isRounded;
    expect(['8944110065123440000', '8944110065123450000'].map(isRounded)).toEqual([true, true]);
    expect(['8.94E+18', '8944110065123451230', '894411006512345000'].map(isRounded)).toEqual(Array(3).fill(undefined));
  });

  test('zeros at the end are a warning if the check digit is correct', () => {
    const message =
      '8944110065123450000 ends in zeros, which suggests that Excel removed its last digits. Compare the serial with the SIM card';
    expect(parseIccid('8944110065123450000')).toMatchObject({
      ok: true,
      finding: { code: 'ICCID_EXCEL_SCIENTIFIC', severity: 'warning', message },
    });
  });
});

const hasValidCheckDigit = (serial: string): boolean => {
  const { finding } = parseIccid(serial);
  return finding === undefined || (finding.code === 'ICCID_EXCEL_SCIENTIFIC' && finding.severity === 'warning');
};

test('exactly one check digit is correct, and any single wrong digit is detected', () => {
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
