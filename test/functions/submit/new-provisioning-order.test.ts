// Requests that name the same new provisioning order: one creates it, whatever happens to its call (spec gap 17).
import { setImmediate as settled } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { SubmitPipeline } from '#functions/submit/end-message.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { type SubmitMessage, submitMessage } from '#shared/request/messages.ts';
import { Ambiguous, Rejected } from '#shared/service/errors.ts';
import { createIsFirstUse } from '#shared/store/first-uses.ts';
import { hour, minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { importItemOf, plannedRowOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const order = { provisioningOrder: null, provisioningOrderName: 'Field team 2026' };
const created = { number: 7001, name: 'Field team 2026' };
const call = 'POST /api/porting/1001';
type CreatePort = SubmitPipeline['client']['createPort'];
let messages: SubmitMessage[];
/** The names of new orders that were sent, in order. */
let names: string[];
let listed: boolean;
let lookups: number;
/** What the service does with a call that names a new order. */
let answer: (send: () => ReturnType<CreatePort>) => ReturnType<CreatePort>;

beforeEach(async () => {
  await rig.imports.begin(importItemOf('import-a'));
  const groups = [1, 2, 3, 4, 5].map((index) => [plannedRowOf(index, index + 1)]);
  messages = await rig.plan('import-a', groups, order);
  names = [];
  listed = false;
  lookups = 0;
  answer = async (send) => {
    const portId = await send();
    // Each of the others looks for the order twice while the service creates it.
    for (let turn = 0; turn < 3_000 && lookups < 9; turn += 1) await settled();
    listed = true;
    return portId;
  };
});

const submit = (message: SubmitMessage) => {
  const { client, validation } = rig.submitParts();
  const createPort: CreatePort = (body) => {
    const name = body.rows[0]?.provisioningOrderName;
    if (!name) return client.createPort(body);
    names.push(name);
    return answer(() => client.createPort(body));
  };
  const provisioningOrders: typeof client.provisioningOrders = async (network) => {
    lookups += 1;
    const isListed = listed;
    const orders = await client.provisioningOrders(network);
    return isListed && orders !== 'not-available' ? [...orders, created as never] : orders;
  };
  const isFirstUseOf = createIsFirstUse(services.table, rig.table, rig.service.now);
  const service = { ...client, createPort, provisioningOrders };
  const catalogue = createCatalogue(service, { isFirstUseOf });
  return rig.submit(message, { client: service, validation: { ...validation, catalogue } });
};

/** Processes the messages that wait in the queue, until all requests have a port. */
async function submitWaiting(): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    rig.pass(minute);
    const waiting = services.waiting('submit').map(({ body }) => submitMessage.parse(body));
    services.emptyQueues();
    await Promise.all(waiting.map(submit));
  }
}
const statesOf = () => Promise.all(messages.map(async ({ request }) => (await rig.request('import-a', request)).state));

test('that are sent together name it once, and the others use its number', async () => {
  await Promise.all(messages.map(submit));
  expect(names).toHaveLength(1);
  await submitWaiting();
  expect(await statesOf()).toEqual(Array(5).fill('created'));
  expect(names).toHaveLength(1);
});

test('name it again one by one if the request that named it was declined', async () => {
  const takes = answer;
  answer = async (send) => {
    if (names.length > 1) return takes(send);
    throw new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 });
  };
  await Promise.all(messages.map(submit));
  await submitWaiting();
  expect((await statesOf()).toSorted()).toEqual(['created', 'created', 'created', 'created', 'declined']);
  expect(names).toHaveLength(2);
});

test('wait while it is unknown whether the call was executed, and do not wait for ever', async () => {
  answer = async () => {
    throw new Ambiguous('reset', { call });
  };
  await Promise.all(messages.map(submit));
  await submitWaiting();
  expect((await statesOf()).toSorted()).toEqual(['planned', 'planned', 'planned', 'planned', 'unknown']);
  expect(names).toHaveLength(1);
  answer = (send) => send();
  rig.pass(hour);
  await submitWaiting();
  expect(names).toHaveLength(2);
});

test('name it all if the service does not list the order once the first of them has a port', async () => {
  answer = (send) => send();
  await Promise.all(messages.map(submit));
  await submitWaiting();
  expect(await statesOf()).toEqual(Array(5).fill('created'));
});
