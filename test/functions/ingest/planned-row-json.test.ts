// The JSON of planned rows, against JSON.stringify.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plannedRowJson } from '#functions/ingest/planned-row-json.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('07700900123', '"', '\\', '\u0000', '\u001f', '\u007f', '\u2028', '\ud800', '\udfff', '😀', '\uffff'),
);
const flat = fc.dictionary(
  fc.constantFrom('msisdn', 'serialNo', 'pac', 'esim'),
  fc.oneof(text, fc.boolean(), fc.constant(null)),
);
const wire = fc.oneof(
  flat,
  text,
  fc.constantFrom(null, undefined, {}, [], 1, Number.NaN, new Date(0), Object.create(null)),
  fc.record({ msisdn: text, extra: fc.oneof(fc.constant(undefined), fc.jsonValue()) }),
  fc.jsonValue(),
);

test('is what JSON.stringify writes, whatever the subject and the wire form', () => {
  fc.assert(
    fc.property(fc.nat(), text, wire, (line, subject, sent) => {
      expect(plannedRowJson(line, subject, sent)).toBe(JSON.stringify({ line, subject, wire: sent }));
    }),
    { numRuns: 3000 },
  );
});
