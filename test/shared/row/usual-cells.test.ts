// A usual cell is read as it is, others after unusual characters were removed. A no-break space means nothing, and
// sends the same cell the other way.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Parsed } from '#shared/row/cell.ts';
import { type Msisdn, parseMsisdn } from '#shared/row/msisdn.ts';
import { parsePac } from '#shared/row/pac.ts';

const digits = (shortest: number, longest: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: shortest, maxLength: longest });

const outcome = (parsed: Parsed<string>) => (parsed.ok ? parsed : { ok: false, code: parsed.finding.code });

test('a national number gives the same result with a space in it, whatever its length and the country of the account', () => {
  const national = digits(4, 15).map((rest) => `0${rest}`);
  const callingCode = fc.constantFrom('44', '33', '1', '31', '34', '39', '49', '353', '4', '420', '');
  fc.assert(
    fc.property(
      fc.oneof(
        national,
        digits(10, 11).map((rest) => `07${rest.slice(2)}`),
      ),
      callingCode,
      (text, code) => {
        const spaced = `${text.slice(0, 3)}\u00A0${text.slice(3)}`;
        const context = { callingCode: code };
        expect(outcome(parseMsisdn(text, context))).toEqual(outcome(parseMsisdn(spaced, context)));
      },
    ),
    { numRuns: 5000 },
  );
});

test('a PAC means the same with a space in it, whatever the country of its number', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'ABCXYZ'), minLength: 2, maxLength: 4 });
  const code = fc.tuple(letters, digits(5, 7)).map(([before, after]) => before + after);
  const msisdn = fc.constantFrom('447700900123', '33612345678', '12025550123').map((number) => number as Msisdn);
  fc.assert(
    fc.property(code, msisdn, (text, number) => {
      const spaced = `${text.slice(0, 3)}\u00A0${text.slice(3)}`;
      expect(outcome(parsePac(text, number))).toEqual(outcome(parsePac(spaced, number)));
    }),
    { numRuns: 2000 },
  );
});
