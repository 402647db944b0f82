// The results table for CreateTable. A test compares it with the stack's.
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { dayIndex, dueIndex, listedIndex } from '#shared/text/stored-values.ts';

const text = (name: string) => ({ AttributeName: name, AttributeType: 'S' as const });
const keys = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];

/** What the index of port days shows. */
export const shownOfPorts = [
  'portId',
  'importId',
  'request',
  'name',
  'status',
  'connectionDate',
  'rowCount',
  'readyRows',
  'blockingRows',
  'actionRequired',
  'cancelBy',
  'concern',
  'changedAt',
] as const;

export const tableDefinition = (table: string): CreateTableCommandInput => ({
  TableName: table,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    ...['pk', 'sk', 'dueQueue', 'dueAt', 'listed', 'listedAt'].map(text),
    text('account'),
    text('portDay'),
  ],
  KeySchema: keys('pk', 'sk'),
  GlobalSecondaryIndexes: [
    { IndexName: dueIndex, KeySchema: keys('dueQueue', 'dueAt'), Projection: { ProjectionType: 'ALL' } },
    { IndexName: listedIndex, KeySchema: keys('listed', 'listedAt'), Projection: { ProjectionType: 'ALL' } },
    {
      IndexName: dayIndex,
      KeySchema: keys('account', 'portDay'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...shownOfPorts] },
    },
  ],
});
