// One contract for both: the twins of the simulation keep it as the embedded services do, and it leaves no command out.
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedSqs, startSqs } from '#local/aws/sqs.ts';
import { connectionTo } from '../support/local-engine.ts';
import { type ResultsServices, startResultsServices } from '../support/results-services.ts';
import { commandsIn, commandsOfPipeline } from './contract/commands.ts';
import { objectsContract } from './contract/objects-contract.ts';
import { queuesContract } from './contract/queues-contract.ts';
import { openEmbedded, openTwins, type Sent } from './contract/side.ts';
import { tableContract } from './contract/table-contract.ts';
import { worseThanEmbedded } from './contract/worse.ts';

let services: ResultsServices;
/** The queues of the engine: those of its library alone are not fair. */
let queues: EmbeddedSqs;
let sqs: SQSClient;
beforeAll(async () => {
  [services, queues] = await Promise.all([startResultsServices(), startSqs('eu-west-2')]);
  sqs = new SQSClient(connectionTo(queues.url));
});
afterAll(async () => {
  sqs.destroy();
  await Promise.all([services.stop(), queues.stop()]);
});

const sent = { embedded: new Set() as Sent, twins: new Set() as Sent };

describe.each([
  ['the embedded services', () => openEmbedded({ ...services, sqs }, sent.embedded)],
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
