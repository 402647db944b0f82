// The function as Lambda calls it, with events over HTTP to the local EventBridge.
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAnnounceHandler } from '#functions/announce/handler.ts';
import { busEvent } from '#local/aws/event-bridge.ts';
import { createEventBus, type EventBus } from '#shared/store/event-bus.ts';
import { type Served, serveEventBridge } from '../../../support/emulator/services.ts';
import { portEventOf, portEventRecord, portRecord, statusRecord } from '../../../support/infra/stream-records.ts';
import { lambdaContext } from '../../../support/lambda-context.ts';
import { portItemOf } from '../../../support/steps/ledger-items.ts';
import { silentLog } from '../../../support/steps/test-pipeline.ts';

let eventBridge: Served;
let client: EventBridgeClient;
beforeEach(async () => {
  eventBridge = await serveEventBridge(() => 0);
  client = new EventBridgeClient({ endpoint: eventBridge.url });
});
afterEach(async () => {
  client.destroy();
  await eventBridge.stop();
});

const published = async () => {
  const text = await (await fetch(`${eventBridge.url}/events`)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => busEvent.parse(JSON.parse(line)));
};
const announceOn = (bus: EventBus) => (Records: DynamoDBRecord[]) =>
  createAnnounceHandler({ bus, log: silentLog })({ Records }, lambdaContext());
const announce = (records: DynamoDBRecord[]) =>
  announceOn(createEventBus(client, { bus: 'simporter-prod', source: 'simporter.prod' }))(records);
const numberOf = (record: DynamoDBRecord | undefined) => ({ itemIdentifier: record?.dynamodb?.SequenceNumber });

const unreadable = (): DynamoDBRecord => portEventRecord([undefined, portEventOf({ importId: undefined })]);
const records = ['Submitted', 'Locked', 'Ported'].map(statusRecord);

describe('announce', () => {
  test('publishes every event with its time, source and type', async () => {
    expect(await announce(records)).toEqual({ batchItemFailures: [] });
    expect(await published()).toMatchObject(
      ['Submitted', 'Locked', 'Ported'].map((status) => ({
        source: 'simporter.prod',
        'detail-type': 'PortStatusChanged',
        time: '2026-07-06T12:00:00.000Z',
        detail: { version: 1, status },
      })),
    );
  });

  test('publishes a record that is delivered again with the same id', async () => {
    await announce(records);
    await announce(records);
    const ids = (await published()).map(({ detail }) => (detail as { id: string }).id);
    expect(ids).toHaveLength(6);
    expect(ids.slice(3)).toEqual(ids.slice(0, 3));
    expect(new Set(ids).size).toBe(3);
  });

  test('accepts any number of records, and publishes ten events a call', async () => {
    const many = Array.from({ length: 23 }, (_, index) => statusRecord(`Status ${index}`));
    await announce(many);
    expect(await published()).toHaveLength(23);
  });

  test('reports a record that it cannot read as failed, and publishes the others', async () => {
    const bad = unreadable();
    expect(await announce([statusRecord('Locked'), bad])).toEqual({ batchItemFailures: [numberOf(bad)] });
    expect(await published()).toHaveLength(1);
  });

  test('reports events that the bus did not take as failed', async () => {
    const quiet = portRecord([portItemOf(), portItemOf()]);
    const deaf: EventBus = { publish: async (events) => [events.length - 1] };
    const response = await announceOn(deaf)([quiet, ...records]);
    expect(response).toEqual({ batchItemFailures: [numberOf(records.at(-1))] });
  });

  test('fails as a whole when the bus takes no call', async () => {
    const away: EventBus = { publish: () => Promise.reject(new Error('no such bus')) };
    await expect(announceOn(away)(records)).rejects.toThrow('no such bus');
  });

  test('makes no call without events', async () => {
    const never: EventBus = { publish: () => Promise.reject(new Error('called')) };
    expect(await announceOn(never)([portRecord([portItemOf(), portItemOf()])])).toEqual({ batchItemFailures: [] });
  });
});
