// What is read from the body of a declined call, in the formats that services use.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDecline } from '#shared/service/classify-response.ts';

describe('the message is found', () => {
  test.each([
    ['in a message', '{"message":"Not valid for this network"}', 'Not valid for this network'],
    ['in an error', '{"error":"locked"}', 'locked'],
    [
      'in a detail, before the title',
      '{"title":"Bad Request","detail":"the date is a holiday"}',
      'the date is a holiday',
    ],
    ['in the first field error', '{"errors":[{"field":"name","message":"too long"}]}', 'too long'],
    ['in a quoted text', '"Not valid for this network"', 'Not valid for this network'],
    ['in a bare text', 'Not valid for this network\n', 'Not valid for this network'],
    ['nowhere in a page', '<html><h1>403</h1></html>', 'declined without a message'],
    ['nowhere in nothing', '', 'declined without a message'],
    ['nowhere in a list', '[1, 2]', 'declined without a message'],
    ['nowhere in an object of other things', '{"message": 5}', 'declined without a message'],
  ])('%s', (_name, text, message) => {
    expect(readDecline(text).message).toBe(message);
  });
});

describe('field errors', () => {
  test('as a list', () => {
    const text = '{"message":"no","errors":[{"field":"rows[3].pac","message":"unknown"},{"message":"also"}]}';

    expect(readDecline(text).fieldErrors).toEqual([
      { field: 'rows[3].pac', message: 'unknown' },
      { field: '', message: 'also' },
    ]);
  });

  test('as a map from field to messages', () => {
    const text = '{"title":"invalid","errors":{"Name":["too long","odd"],"Rows":["empty"]}}';

    expect(readDecline(text).fieldErrors).toEqual([
      { field: 'Name', message: 'too long' },
      { field: 'Name', message: 'odd' },
      { field: 'Rows', message: 'empty' },
    ]);
  });
});

describe('phone numbers in the message', () => {
  test('are returned once each, as written', () => {
    const text = '{"message":"07700900123, +447700900124 and 07700900123 exist"}';

    expect(readDecline(text).msisdns).toEqual(['07700900123', '+447700900124']);
  });

  test('are not taken from a SIM serial, an id or a date', () => {
    const text = 'serial 8944100000000000001, id 11111111-2222-4333-8444-555555555555, 2026-07-01, 20260701';

    expect(readDecline(text).msisdns).toEqual([]);
  });
});

test('SIM serials in the message are returned once each', () => {
  const text =
    '{"message":"no SIM 8944100000000000001","errors":[{"field":"stock","message":"89441000000000000012 and 8944100000000000001"}]}';

  expect(readDecline(text).serialNumbers).toEqual(['8944100000000000001', '89441000000000000012']);
});

test('a PAC in the message is redacted', () => {
  const refusal = readDecline(
    '{"message":"PAC ABC123456 is not valid","errors":[{"field":"pac","message":"ABC123456 expired"}]}',
  );

  expect(JSON.stringify(refusal)).not.toContain('ABC123456');
});

test('reading never fails, whatever the body is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readDecline(text).message).not.toBe('');
    }),
  );
});
