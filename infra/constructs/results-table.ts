// The results table: keys and indexes as shared/store/tables uses them.
import type { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { fixLogicalId } from '../fixed-logical-id.ts';

export interface ResultsTableProps {
  readonly deletionProtection: boolean;
  readonly removalPolicy: RemovalPolicy;
}

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The table holds phone numbers but no PAC (spec gap 44), so DynamoDB's AWS managed key encrypts it: CloudTrail records
 * each use of the key, and neither a function nor a restore needs permissions for our own key. DynamoDB deletes an item
 * after the time in `expiresAt`, in seconds since 1970; items without it do not expire.
 */
export function resultsTable(scope: Construct, id: string, props: ResultsTableProps): TableV2 {
  const table = new TableV2(scope, id, {
    partitionKey: text('pk'),
    sortKey: text('sk'),
    globalSecondaryIndexes: [
      // Sparse: work for sync (unfinished requests, live ports).
      { indexName: 'due', partitionKey: text('dueQueue'), sortKey: text('dueAt'), projectionType: ProjectionType.ALL },
      // Sparse: imports by account and time, ports that require action.
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
    timeToLiveAttribute: 'expiresAt',
    ...props,
  });
  return fixLogicalId(table);
}
