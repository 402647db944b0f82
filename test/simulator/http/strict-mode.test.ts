// `--strict`: what the spec does not describe is rejected with its place. Without it the same requests are accepted.
import { describe, expect, test } from 'vitest';
import {
  type CallOptions,
  portBody,
  portRow,
  startTestSimulator,
  type TestSimulator,
} from '../../support/service/simulator.ts';

const post = (service: TestSimulator, options: CallOptions) => service.call('POST', '/api/porting/1001', options);

const bytes = (text: string): Uint8Array => {
  const body = Buffer.from(text);
  // The first byte of the name, which begins a sequence that never ends.
  body[body.indexOf('A port')] = 0xc3;
  return body;
};

const row = portRow();
const cases: readonly (readonly [string, CallOptions, number, string])[] = [
  ['an unknown field', { body: { ...portBody(), notes: 'x' } }, 400, 'notes'],
  ['an unknown field of a row', { body: { ...portBody(), rows: [{ ...row, colour: 'red' }] } }, 400, 'rows[0].colour'],
  [
    'a field named __proto__',
    { body: JSON.stringify(portBody()).replace('{', '{"__proto__":{"a":1},') },
    400,
    '__proto__',
  ],
  ['another content type', { body: portBody(), headers: { 'content-type': 'text/plain' } }, 415, 'content-type'],
  [
    'another charset',
    { body: portBody(), headers: { 'content-type': 'application/json;charset=latin1' } },
    415,
    'content-type',
  ],
  ['an hour that does not exist', { body: portBody({ connectionDate: '2026-07-08T99:99:99' }) }, 400, 'connectionDate'],
  ['a date with words', { body: portBody({ connectionDate: '2026-07-08Tomorrow' }) }, 400, 'connectionDate'],
  ['bytes that are not UTF-8', { body: bytes(JSON.stringify(portBody())) }, 400, 'body'],
  ['a blank name', { body: portBody({ name: '  ' }) }, 400, 'name'],
  ['a blank group name', { body: portBody({ rows: [portRow(1, { groupName: '' })] }) }, 400, 'rows[0].groupName'],
  ['a landline', { body: portBody({ rows: [portRow(1, { msisdn: '020 7946 0000' })] }) }, 422, 'rows[0].msisdn'],
  ['a personal number', { body: portBody({ rows: [portRow(1, { msisdn: '07012345678' })] }) }, 422, 'rows[0].msisdn'],
];

describe.each(cases)('%s', (_what, options, status, field) => {
  test(`is answered ${status}, naming ${field}`, async () => {
    const reply = await post(await startTestSimulator({ choices: { strict: 'on' } }), options);
    expect([reply.status, reply.body.errors[0].field]).toEqual([status, field]);
    expect(reply.body.errors[0].message).not.toBe('');
  });

  test('is accepted without strict mode', async () => {
    expect((await post(await startTestSimulator(), options)).status).toBe(201);
  });
});

test.each([
  ['a date', '2026-07-08'],
  ['a date-time', '2026-07-08T00:00:00'],
  ['milliseconds and Z', '2026-07-08T00:00:00.000Z'],
  ['an offset', '2026-07-08T00:00:00+01:00'],
])('%s is accepted in strict mode', async (_what, connectionDate) => {
  const service = await startTestSimulator({ choices: { strict: 'on' } });
  expect((await post(service, { body: portBody({ connectionDate }) })).status).toBe(201);
});

test.each(['07624 123456', '+33 6 39 98 00 01'])('the mobile number %s is accepted in strict mode', async (msisdn) => {
  const service = await startTestSimulator({ choices: { strict: 'on' } });
  expect((await post(service, { body: portBody({ rows: [portRow(1, { msisdn })] }) })).status).toBe(201);
});

test('Provision of a landline is answered 422 in strict mode', async () => {
  const service = await startTestSimulator({ choices: { strict: 'on' } });
  const body = { stock: [{ serialNumber: '8944110000000000001', msisdn: '02079460000' }], tariffNumber: 2001 };
  const reply = await service.call('POST', '/api/simSubmission/Provision', { body });
  expect([reply.status, reply.body.errors[0].field]).toEqual([422, 'stock[0].msisdn']);
});
