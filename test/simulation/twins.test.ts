// One contract for both: the twins of the simulation keep it as the embedded services do, and it leaves no command out.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ResultsServices, startResultsServices } from '../support/results-services.ts';
import { commandsIn, commandsOfPipeline } from './contract/commands.ts';
import { objectsContract } from './contract/objects-contract.ts';
import { queuesContract } from './contract/queues-contract.ts';
import { openEmbedded, openTwins, type Sent } from './contract/side.ts';
import { tableContract } from './contract/table-contract.ts';
import { worseThanEmbedded } from './contract/worse.ts';

let services: ResultsServices;
beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services?.stop());

const sent = { embedded: new Set() as Sent, twins: new Set() as Sent };

describe.each([
  ['the embedded services', () => openEmbedded(services, sent.embedded)],
  ['the twins', () => openTwins(sent.twins)],
])('%s', (_, open) => {
  tableContract(open);
  objectsContract(open);
  queuesContract(open);
});

describe('the twins, as bad as AWS may be', worseThanEmbedded);

describe('every command that the pipeline sends is in the contract', () => {
  /** What no twin stands for, and why it needs none. */
  const without: Readonly<Record<string, string>> = {
    GetSecretValueCommand: 'credentials are a parameter of the client, which the simulation gives it',
    PutEventsCommand: 'announce tells of what stands in the table already, and no stage waits for it',
  };

  test.each(['embedded', 'twins'] as const)('%s', (side) => {
    const missing = [...commandsOfPipeline()].filter(([name]) => !sent[side].has(name) && !(name in without));
    expect(Object.fromEntries(missing)).toEqual({});
  });

  test('a command is found where it is made, also one that nobody sent before', () => {
    expect(commandsIn('await client.send(new PurgeQueueCommand({ QueueUrl }));')).toEqual(['PurgeQueueCommand']);
    expect([...commandsOfPipeline().keys()]).toEqual(
      expect.arrayContaining([...Object.keys(without), 'UploadPartCommand']),
    );
  });
});
