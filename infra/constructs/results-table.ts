// The one table that answers for every line: keys and indexes as shared/aws writes them.
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { keepId } from '../logical-id.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The table holds phone numbers but no PAC (decision 44), so it is encrypted with the account's own DynamoDB key: every use
 * stands in the audit trail, and neither a function nor a restore needs a right to a key of ours.
 *
 * Nothing in it expires: what became of a number is asked for years later, and the runbook says how a person's data is deleted.
 *
 * Its stream is for announce alone: report hears of changes by its queue, which coalesces them.
 *
 * @param protect whether the table refuses to be deleted and outlives its stack
 */
export function resultsTable(scope: Construct, id: string, protect: boolean): TableV2 {
  const table = new TableV2(scope, id, {
    partitionKey: text('pk'),
    sortKey: text('sk'),
    globalSecondaryIndexes: [
      // Sparse: only what waits for sync (unfinished requests, live ports) carries `dueQueue`.
      {
        indexName: 'due',
        partitionKey: text('dueQueue'),
        sortKey: text('dueAt'),
        projectionType: ProjectionType.ALL,
      },
      // Sparse: imports by account and time, ports that need attention.
      {
        indexName: 'listed',
        partitionKey: text('listed'),
        sortKey: text('listedAt'),
        projectionType: ProjectionType.ALL,
      },
    ],
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: protect,
    removalPolicy: protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  return keepId(table);
}
