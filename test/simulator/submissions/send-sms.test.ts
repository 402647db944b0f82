// POST /api/simSubmission/SendSms (spec "Submissions").
import { expect, test } from 'vitest';
import { startTestSimulator, stockSerials, type TestSimulator } from '../../support/service/simulator.ts';

const of = (network: number): string[] => stockSerials(network);
const send = (service: TestSimulator, changes: object = {}) =>
  service.call('POST', '/api/simSubmission/SendSms', {
    body: { serialNumbers: of(232), message: 'Hello', binary: false, ...changes },
  });

test.each([218, 225, 232, 233, 240])('network %i sends', async (network) => {
  const service = await startTestSimulator();
  const reply = await send(service, { serialNumbers: of(network) });
  expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['ticketNumber']]);
});

test('another network does not send: 422', async () => {
  const service = await startTestSimulator();
  expect((await send(service, { serialNumbers: of(101) })).body.message).toBe('UK Mobile A does not send SMS');
});

test('every SIM must be on hire: 409', async () => {
  const service = await startTestSimulator();
  const reply = await send(service, { serialNumbers: stockSerials(232, { status: 'in-stock' }) });
  expect(reply.status).toBe(409);
});

test('all SIMs must be on one network', async () => {
  const service = await startTestSimulator();
  const reply = await send(service, { serialNumbers: [of(232)[0], of(233)[0]] });
  expect([reply.status, reply.body.message]).toEqual([422, 'must all be on the same network']);
});

test('all SIMs must be of the account', async () => {
  const service = await startTestSimulator();
  const theirs = stockSerials(232, { accountId: 1002 });
  expect((await send(service, { serialNumbers: [of(232)[0], theirs[0]] })).status).toBe(422);
});

test.each<[string, object]>([
  ['serialNumbers', { serialNumbers: [] }],
  ['message', { message: 'x'.repeat(161) }],
  ['protocolId', { protocolId: 256 }],
  ['dataCodingScheme', { dataCodingScheme: -1 }],
])('a wrong form of %s is answered 400', async (field, changes) => {
  const service = await startTestSimulator();
  const reply = await send(service, changes);
  expect([reply.status, reply.body.errors[0].field]).toEqual([400, field]);
});

test('a message of 160 characters is accepted', async () => {
  const service = await startTestSimulator();
  expect((await send(service, { message: 'x'.repeat(160) })).status).toBe(200);
});

test('a binary message and its header are hex', async () => {
  const service = await startTestSimulator();
  const binary = { binary: true, message: '0A1b', protocolId: 0, dataCodingScheme: 255, userDataHeader: '0605' };
  expect((await send(service, binary)).status).toBe(200);
  expect((await send(service, { ...binary, message: 'Hello' })).body.errors[0].field).toBe('message');
  expect((await send(service, { ...binary, userDataHeader: '060' })).body.errors[0].field).toBe('userDataHeader');
});

test.each(['protocolId', 'dataCodingScheme', 'userDataHeader'])(
  '%s is not supported on the GDSP network',
  async (field) => {
    const service = await startTestSimulator();
    const value = field === 'userDataHeader' ? '06' : 1;
    const reply = await send(service, { serialNumbers: of(240), binary: true, message: '0A', [field]: value });
    expect([reply.status, reply.body.errors[0].field]).toEqual([422, field]);
  },
);
