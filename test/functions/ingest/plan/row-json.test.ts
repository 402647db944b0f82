// The JSON of a planned row is that of JSON.stringify, and the hash of a plan's content depends on nothing but what is
// sent.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContentHash, hashHead, RowJson } from '#functions/ingest/plan/row-json.ts';
import type { ValidatedRow } from '#shared/operations/operation.ts';
import { anyText } from '../../../support/any-text.ts';

const jsonOf = ({ bytes, start, end }: RowJson): string => bytes.toString('utf8', start, end);

test('a row is written as JSON.stringify writes it, one after another, with any characters and of any length', () => {
  const text = fc.oneof(
    anyText({ maxLength: 30 }),
    fc.string({ unit: fc.constantFrom('a', '0', '"', '\\', '\u001f', '\u007f', 'é', '\ud800', '😀'), maxLength: 400 }),
  );
  const value = fc.oneof(text, fc.boolean(), fc.constant(null), fc.constant(undefined));
  const wire = fc.option(fc.dictionary(fc.constantFrom('msisdn', 'serialNo', 'pac', 'esim', 'pacExpiry'), value));
  const planned = fc.record({ line: fc.nat(), subject: text, wire, correctedRow: fc.option(text, { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(planned, { minLength: 1, maxLength: 5 }), (rows) => {
      const row = new RowJson();
      for (const { line, subject, wire, correctedRow } of rows) {
        row.write(line, { subject, wire }, correctedRow);
        expect(jsonOf(row)).toBe(JSON.stringify({ line, subject, wire, correctedRow }));
        expect(row.bytes[row.start - 1]).toBe(0x2c);
      }
    }),
  );
});

type Row = readonly [line: number, msisdn: string, pac: string | null, expiry: string, correctedRow?: string];

/** The hash of rows of shapes, in their order. */
function contentOf(...rows: readonly (readonly [head: string, ...Row])[]): string {
  const content = new ContentHash('create-port');
  const json = new RowJson();
  for (const [head, line, msisdn, pac, pacExpiry, correctedRow] of rows) {
    const row: ValidatedRow = { subject: msisdn, wire: { msisdn, pac, esim: false, pacExpiry } };
    json.write(line, row, correctedRow);
    content.add(hashHead({ label: 'July', head }), json);
  }
  return content.value;
}

const [one, other] = ['{"tariff":1}', '{"tariff":2}'];

test('the same rows have one content hash on other lines, in another order and with other PACs', () => {
  const rows = [
    [one, 2, '07700900001', 'ABC123456', '2026-07-01'],
    [one, 3, '07700900002', null, '2026-07-02'],
    [other, 4, '07700900003', 'DEF123456', '2026-07-03'],
  ] as const;
  const content = contentOf(...rows);
  expect(contentOf(...rows.toReversed())).toBe(content);
  expect(contentOf([one, 1234, '07700900001', '03P123456559', '2026-07-01'], rows[1], rows[2])).toBe(content);
});

test('any other change is another content', () => {
  const row = [one, 2, '07700900001', 'ABC123456', '2026-07-01'] as const;
  const contents = [
    contentOf(row),
    contentOf(row, row),
    contentOf([other, 2, '07700900001', 'ABC123456', '2026-07-01']),
    contentOf([one, 2, '07700900011', 'ABC123456', '2026-07-01']),
    contentOf([one, 2, '07700900001', 'ABC123456', '2026-07-11']),
    contentOf([one, 2, '07700900001', null, '2026-07-01']),
    contentOf([one, 2, '07700900001', 'ABC123456', '2026-07-01', 'first/2']),
    new ContentHash('bar').value,
    new ContentHash('unbar').value,
  ];
  expect(new Set(contents).size).toBe(contents.length);
});

test('rows that change their shapes are another content', () => {
  const numbers = ['07700900001', '07700900002'] as const;
  const [a, b] = numbers.map((msisdn, index) => [2 + index, msisdn, null, '2026-07-01'] as const);
  if (a === undefined || b === undefined) throw new Error('two rows');
  expect(contentOf([one, ...a], [other, ...b])).not.toBe(contentOf([other, ...a], [one, ...b]));
});
