// One contract for the in-memory doubles of the simulation and the embedded services. It covers every command.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ResultsServices, startResultsServices } from '../support/embedded/services.ts';
import { commandsIn, commandsOfPipeline } from './contract/commands.ts';
import { limitsContract } from './contract/limits-contract.ts';
import { objectsContract } from './contract/objects-contract.ts';
import { queuesContract } from './contract/queues-contract.ts';
import { openEmbedded, openTwins, type Sent } from './contract/side.ts';
import { tableContract } from './contract/table-contract.ts';
import { worseThanEmbedded } from './contract/worse.ts';
import { statedFigure } from './reliability-page.ts';

let services: ResultsServices;
beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());

const sent = { embedded: new Set() as Sent, twins: new Set() as Sent };

describe.each([
  ['the embedded services', () => openEmbedded(services, sent.embedded)],
  ['the twins', () => openTwins(sent.twins)],
])('%s', (_, open) => {
  tableContract(open);
  objectsContract(open);
  queuesContract(open);
  limitsContract(open);
});

describe('the doubles, with failures that only AWS has', worseThanEmbedded);

describe('every command that the pipeline sends is in the contract', () => {
  /** Commands without a double, and the reason. */
  const without: Readonly<Record<string, string>> = {
    GetSecretValueCommand: 'the simulation passes credentials to the client as a parameter',
    InvokeCommand: 'it starts sync, which the simulation starts itself',
    PutEventsCommand: 'announce publishes what is in the table already, and no step waits for it',
  };

  test.each(['embedded', 'twins'] as const)('%s', (side) => {
    const missing = [...commandsOfPipeline()].filter(([name]) => !sent[side].has(name) && !(name in without));
    expect(Object.fromEntries(missing)).toEqual({});
  });

  test('docs/contributing/reliability.md states how many commands have none', () => {
    const { length } = Object.keys(without);
    expect(statedFigure('SDK commands covered')).toBe(`all but ${length}, each with a reason`);
  });

  test('a command is found in the source, also a new one', () => {
    expect(commandsIn('await client.send(new PurgeQueueCommand({ QueueUrl }));')).toEqual(['PurgeQueueCommand']);
    expect([...commandsOfPipeline().keys()]).toEqual(
      expect.arrayContaining([...Object.keys(without), 'UploadPartCommand']),
    );
  });
});
