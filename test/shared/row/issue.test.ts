// docs/reference/issues.md explains every rejected row: it is complete, and its examples are correct.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseCalendarDate } from '#shared/row/calendar-date.ts';
import type { Parsed } from '#shared/row/cell.ts';
import { parseIccid } from '#shared/row/iccid.ts';
import {
  answeredIn,
  describeIssue,
  errorAt,
  type IssueCode,
  isDuplicate,
  issueCodes,
  UnreadableItem,
  UnwritableItem,
} from '#shared/row/issue.ts';
import { type Msisdn, parseMsisdn } from '#shared/row/msisdn.ts';
import { parsePac } from '#shared/row/pac.ts';

/** Each paragraph and each list item on one line. */
const unwrapped = (text: string): string =>
  text.replaceAll(/\n(?=[^\n-])/g, (_, at) => (text[at - 1] === '\n' ? '\n' : ' ')).replaceAll(/ {2,}/g, ' ');
const page = readFileSync(new URL('../../../docs/reference/issues.md', import.meta.url), 'utf8');
const paragraphs = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', unwrapped(text)]),
);
/** The first code of a paragraph. */
const exampleOf = (code: IssueCode) => /`([^`]+)`/.exec(paragraphs.get(code) ?? '')?.[1] ?? '';

/** Codes whose message has all there is to know: the page only lists them. */
const listed = [...page.matchAll(/^Explained by their messages: (.*?)\.$/gms)].flatMap(([, list = '']) =>
  [...list.matchAll(/`(\w+)`/g)].map(([, code]) => code),
);

test('every code has its paragraph or is in a list, in the order of the codes', () => {
  expect([...paragraphs.keys(), ...listed].toSorted()).toEqual([...issueCodes].toSorted());
  expect([...paragraphs.keys()]).toEqual(issueCodes.filter((code) => paragraphs.has(code)));
});

test.each([...paragraphs])('%s: severity if it is not an error, and meaning or what to do', (_code, paragraph) => {
  expect(paragraph).toMatch(/^\w+\n\n(\((warning|notice|error or warning|warning or notice)\) )?\S.{15,}\.\s/);
});

describe('an example has the issue of its paragraph', () => {
  const british = '447700900123' as Msisdn;
  const french = '33612345678' as Msisdn;
  const parsers: Partial<Record<IssueCode, (text: string) => Parsed<unknown>>> = {
    MSISDN_SHAPE: (text) => parseMsisdn(text, { callingCode: '44' }),
    MSISDN_EXCEL_SCIENTIFIC: (text) => parseMsisdn(text, { callingCode: '44' }),
    MSISDN_NOT_MOBILE: (text) => parseMsisdn(text, { callingCode: '44' }),
    MSISDN_COUNTRY_NOT_SUPPORTED: (text) => parseMsisdn(text, { callingCode: '44' }),
    MSISDN_LEADING_ZERO_RESTORED: (text) => parseMsisdn(text, { callingCode: '44' }),
    MSISDN_TRUNK_ZERO_DROPPED: (text) => parseMsisdn(text, { callingCode: '44' }),
    ICCID_SHAPE: parseIccid,
    ICCID_EXCEL_SCIENTIFIC: parseIccid,
    ICCID_CHECK_DIGIT: parseIccid,
    PAC_SHAPE: (text) => parsePac(text, british),
    PAC_IS_STAC: (text) => parsePac(text, british),
    PAC_RIO_KEY: (text) => parsePac(text, french),
    DATE_SHAPE: parseCalendarDate,
  };

  test.each(Object.entries(parsers) as [IssueCode, (text: string) => Parsed<unknown>][])('%s', (code, parse) => {
    expect(parse(exampleOf(code)).finding?.code).toBe(code);
  });
});

describe('an item that cannot be read', () => {
  test('an unreadable item has its place and the problem in the message', () => {
    const error = new UnreadableItem('port#p port', 'line: Invalid input');
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe('UnreadableItem: port#p port: line: Invalid input');
    expect(error.place).toBe('port#p port');
  });

  test('an item that the table rejects has its own error', () => {
    const error = new UnwritableItem('port#port-1', 'too large');
    expect(error).toBeInstanceOf(UnreadableItem);
    expect([error.name, error.message]).toEqual(['UnwritableItem', 'port#port-1: too large']);
  });
});

test('a row is a duplicate if nothing else is wrong with it, and its number is the repeated one', () => {
  expect(isDuplicate(['MSISDN_DUPLICATE_IN_FILE', 'ICCID_DUPLICATE_IN_FILE'])).toBe(true);
  expect(isDuplicate(['ICCID_DUPLICATE_IN_FILE'])).toBe(false);
  expect(isDuplicate(['MSISDN_DUPLICATE_IN_FILE', 'PAC_SHAPE'])).toBe(false);
});

test('an error is answered in the file, unless the reading or the rows can answer it', () => {
  expect([
    answeredIn('DATE_ORDER_AMBIGUOUS'),
    answeredIn('FILE_THRESHOLD_EXCEEDED'),
    answeredIn('FILE_TOO_LARGE'),
  ]).toEqual(['reading', 'rows', 'file']);
});

test('an issue names its column once', () => {
  const issue = errorAt(2, 'PAC_SHAPE', 'pac is empty');
  expect(issue).toMatchObject({ line: 2, column: null, severity: 'error' });
  expect([null, 'pac', 'msisdn'].map((column) => describeIssue({ ...issue, column }))).toEqual([
    'pac is empty',
    'pac is empty',
    'msisdn: pac is empty',
  ]);
});
