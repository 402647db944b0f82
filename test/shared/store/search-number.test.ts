// Every way to write a number is found, and texts about other numbers stay as they are.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openArchive } from '#shared/files/workbook/open-archive.ts';
import { isSeparating, parseMsisdn } from '#shared/row/msisdn.ts';
import {
  containsNumber,
  createMentionSearch,
  createRecordFilter,
  mentionsOf,
  type RecordFormat,
  withoutMentions,
} from '#shared/store/search-number.ts';
import { workbookFile } from '../../support/files/workbook-file.ts';

const british = mentionsOf('447700900123', '44');
/** A number of another country than the account's. */
const french = mentionsOf('33612345678', '44');

describe('a number of the country', () => {
  test.each([
    '447700900123',
    '+447700900123',
    '00447700900123',
    '00 44 7700 900 123',
    '+44 (0) 7700 900123',
    '+44 0 7700 900123',
    '+4 4 7700 900123',
    '07700 900123',
    '0-7700-900-123',
    '(07700) 900.123',
    '7700900123',
    '07700\u2011900\u00a0123',
    '07700    900123',
    '0770\u200b0 900 – – 123',
    '0770\\t0900123',
  ])('is removed as a whole from %j', (written) => {
    expect(british.isIn(written)).toBe(true);
    expect(british.removeFrom(`a ${written}, b`)).toMatch(/^a \(?\[number\], b$/);
  });

  test.each(['447700900124', '1447700900123', '4477009001234', '07700 x 900123', '07700\\x900123', '17700900123'])(
    'is not in %j',
    (other) => {
      expect([british.isIn(other), british.removeFrom(other)]).toEqual([false, other]);
    },
  );

  test('has its place in the text, once for each mention', () => {
    expect(british.places('a 07700900123 b +447700900123')).toEqual([
      [2, 13],
      [16, 29],
    ]);
  });
});

test('a number of another country is written with its calling code', () => {
  expect(french.removeFrom('33612345678, +33 6 12 34 56 78, 0612345678')).toBe('[number], [number], 0612345678');
  expect(french.isIn('4433612345678')).toBe(false);
});

test('every notation in which ingest reads a number is found', () => {
  const separators = [...' \t/()-.\u00a0\u2009\u2010\u2013'].filter(isSeparating);
  const gap = fc.array(fc.constantFrom(...separators, ''), { maxLength: 5 }).map((all) => all.join(''));
  const number = fc.constantFrom('447700900123', '33612345678', '491701234567', '39347123456', '34612345678');
  const account = fc.constantFrom('44', '33', '49', '39', '34');
  const trunk = fc.constantFrom('', '0', '(0)', ' (0) ');
  const prefix = fc.constantFrom('', '+', '00', "'+", ' + ', '+(');
  let read = 0;
  fc.assert(
    fc.property(number, account, prefix, trunk, fc.array(gap, { maxLength: 30 }), fc.boolean(), (...drawn) => {
      const [digits, callingCode, before, zero, gaps, isNational] = drawn;
      const [code, national] = [digits.slice(0, 2), digits.slice(2)];
      const spread = (text: string) => [...text].map((one, at) => one + (gaps[at] ?? '')).join('');
      const written = before + (isNational ? '' : spread(code)) + zero + spread(national);
      const parsed = parseMsisdn(written, { callingCode });
      if (!parsed.ok || parsed.value !== digits) return;
      read += 1;
      const mentions = mentionsOf(digits, callingCode);
      expect([written, mentions.isIn(`a,"${written}";b`), mentions.isIn(written)]).toEqual([written, true, true]);
    }),
    { numRuns: 3_000 },
  );
  expect(read).toBeGreaterThan(300);
});

test('a copy of an item has no entries about the number, and no text with it', () => {
  const item = {
    note: 'sent 07700900123 again',
    count: 2,
    none: null,
    rows: [{ line: 2, subject: '447700900123' }, { line: 3, subject: '447700900124' }, 'line 4: 447700900123', null],
    inner: { text: '447700900123' },
  };
  expect(withoutMentions(item, british)).toEqual({
    note: 'sent [number] again',
    count: 2,
    none: null,
    rows: [{ line: 3, subject: '447700900124' }, 'line 4: [number]', null],
    inner: { text: '[number]' },
  });
});

describe('a text that comes in pieces', () => {
  const found = (...pieces: readonly string[]) => {
    const search = createMentionSearch(british);
    return [...pieces.map((piece) => search.add(piece)), search.end()];
  };

  test('mentions a number that is cut between two pieces', () => {
    expect(found('a 0770', '0900123', ' b')).toEqual([false, false, true, true]);
  });

  test('mentions a number at its end', () => {
    expect(found('a 07700900123')).toEqual([false, true]);
  });

  test('does not mention a longer number of which a piece has a part', () => {
    expect(found('a 07700900123', '4 b')).toEqual([false, false, false]);
  });

  test('is searched at every place, however long its pieces are', () => {
    const filler = 'x'.repeat(10_000);
    expect(found(filler, `${filler} 0770`, `0900123 ${filler}`)).toContain(true);
    expect(found('07700900123 ', filler)[0]).toBe(true);
  });

  test('does not mention a number whose first digits are no longer in memory', () => {
    expect(found(`1${'07700900123'.padEnd(4_000, ' ')}`, ' ')).toEqual([false, false, false]);
    expect(found('07700900123'.padEnd(4_000, ' '))).toEqual([true, true]);
  });

  test('is not kept in memory as a whole, and is found where the memory is cut', () => {
    const lengths: number[] = [];
    const search = createMentionSearch(british, (text) => {
      lengths.push(text.length);
      return text;
    });
    for (let piece = 0; piece < 5; piece += 1) search.add('x'.repeat(3_000));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(7_000);
    expect(found(`${'x'.repeat(3_994)} 0770090`, '0123 ')).toEqual([false, true, true]);
  });

  test('is searched as its reader sees it', () => {
    const search = createMentionSearch(british, (text) => text.replaceAll('<b>', ''));
    expect(search.add('077<b>00900123.')).toBe(true);
    expect(search.end()).toBe(true);
  });
});

describe('a workbook', () => {
  const isInTexts = (xml: string) => {
    const parts = [{ name: 'xl/sharedStrings.xml', content: `<sst xmlns="m">${xml}</sst>` }];
    const bytes = workbookFile([{ name: 'July', rows: [['a']] }], { parts });
    const once = async function* () {
      yield Buffer.from(bytes);
    };
    return containsNumber(once(), british, openArchive);
  };
  const font = '<rPr><b/><sz val="11"/><color theme="1"/><rFont val="Calibri"/><family val="2"/></rPr>';

  test.each([
    ['of one format', '<si><t>07700 900123</t></si>'],
    ['of several formats', `<si><r><t>07700</t></r><r>${font}<t xml:space="preserve"> 900123</t></r></si>`],
    [
      'on lines of their own',
      `<si>\n  <r>\n    <t>07700</t>\n  </r>\n  <r>\n    ${font}\n    <t>900123</t>\n  </r>\n</si>`,
    ],
  ])('has a number in a cell whose digits are %s', async (_, xml) => {
    expect(await isInTexts(xml)).toBe(true);
  });

  test('does not have a number whose digits are in two cells', async () => {
    expect(await isInTexts('<si><t>07700</t></si><si><t>900123</t></si>')).toBe(false);
  });
});

describe('a file without the records of a number', () => {
  const filtered = (format: RecordFormat, ...pieces: readonly string[]) => {
    const filter = createRecordFilter(british, format);
    return pieces.map((piece) => filter.add(piece)).join('') + filter.end();
  };

  test.each(['\n', '\r\n', '\r'])('has all other records, with line breaks like %j', (line) => {
    const records = ['msisdn,pac', '447700900123,A', '"447700900124",B', '07700900123,C', '447700900125,D'];
    const text = records.join(line);
    const rest = [records[0], records[2], records[4]].join(line);
    expect(filtered('csv', text)).toBe(rest);
    expect(filtered('csv', ...text)).toBe(rest);
  });

  test('loses a record in quotes as a whole, with its line breaks', () => {
    const text = 'a,"b ""c""\n07700900123\r\nd"\ne,f\n';
    expect(filtered('csv', text)).toBe('e,f\n');
    expect(filtered('csv', ...text)).toBe('e,f\n');
  });

  test('has every line of NDJSON that does not mention it: quotes and carriage returns are not part of the format', () => {
    const text = '{"a":"\\"07700900123"}\n{"b":"07700900124\r"}\n{"c":"07700900123"}';
    expect(filtered('lines', text)).toBe('{"b":"07700900124\r"}\n');
  });

  test('passes each record on as soon as it is whole', () => {
    const filter = createRecordFilter(british, 'csv');
    expect([filter.add('a\nb'), filter.add('c\n'), filter.end()]).toEqual(['a\n', 'bc\n', '']);
  });
});
