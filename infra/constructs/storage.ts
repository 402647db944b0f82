// Everything that keeps data: the encryption key, the buckets, the results table and the service's credentials.
import type { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge, fixLogicalId, removalOfData, removalOfProtectedData } from '../cdk-conventions.ts';
import { isProtected } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import { AuditTrail, logsBucket, privateBucket } from './buckets.ts';

export class Storage extends Construct {
  readonly key: Key;
  /** Uploads. */
  readonly inbox: Bucket;
  /** Plans: they hold PACs and expire soon. */
  readonly work: Bucket;
  /** Files for people: results.csv, rejected.csv, issues.ndjson. */
  readonly results: Bucket;
  readonly table: TableV2;
  readonly secretArn: string;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    const { retention, service, auditTrail } = configuration;
    const removalPolicy = removalOfData(configuration);
    this.key = fixLogicalId(
      new Key(this, 'Key', {
        description: 'Encrypts everything in simporter that holds a PAC or a credential',
        enableKeyRotation: true,
        removalPolicy,
      }),
    );
    const { key } = this;
    const accessLogs = auditTrail ? logsBucket(this, 'AccessLogs', { expireDays: retention.logDays }) : undefined;
    const common = { key, accessLogs, removalPolicy };
    // Each version is a separate import: overwriting a file does not change an import in progress (fault 2).
    this.inbox = privateBucket(this, 'Inbox', { ...common, expireDays: retention.inboxDays, versioned: true });
    denyUnreadableUploads(this.inbox, key);
    this.work = privateBucket(this, 'Work', { ...common, expireDays: retention.planDays });
    this.results = privateBucket(this, 'Results', { ...common, expireDays: retention.resultsDays });
    if (accessLogs) {
      const audited = [this.inbox, this.work, this.results];
      new AuditTrail(this, 'AuditTrail', { configuration, accessLogs, audited });
    }
    this.table = resultsTable(this, 'Table', {
      deletionProtection: isProtected(configuration),
      removalPolicy: removalOfProtectedData(configuration),
    });
    this.secretArn = serviceCredentials(this, 'Credentials', { key, removalPolicy, name: service.secretName }).ref;
  }
}

const encryption = 's3:x-amz-server-side-encryption';
/** The condition that the request has the header. */
const isPresent = (key: string) => ({ Null: { [key]: 'false' } });

/** The inbox accepts only uploads that the pipeline can read: in the bucket's own encryption, and not archived. */
function denyUnreadableUploads(inbox: Bucket, key: IKey): void {
  const deny = (sid: string, conditions: Readonly<Record<string, unknown>>) =>
    inbox.addToResourcePolicy(
      new PolicyStatement({
        sid,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:PutObject'],
        resources: [inbox.arnForObjects('*')],
        conditions,
      }),
    );
  deny('DenyCustomerProvidedKeys', isPresent(`${encryption}-customer-algorithm`));
  // Uploads without the header get the bucket's default encryption. AES256 and aws:kms without a key id replace it.
  deny('DenyOtherKeys', {
    ...isPresent(encryption),
    StringNotEquals: { [`${encryption}-aws-kms-key-id`]: key.keyArn },
  });
  deny('DenyArchiveStorageClasses', { StringEquals: { 's3:x-amz-storage-class': ['GLACIER', 'DEEP_ARCHIVE'] } });
}

interface ServiceCredentialsProps {
  readonly key: IKey;
  readonly removalPolicy: RemovalPolicy;
  /** @default - CloudFormation generates a name */
  readonly name: string | undefined;
}

/** The placeholder never changes, so a later deployment does not overwrite the stored credentials. */
const placeholder = JSON.stringify({ clientId: 'not-set-yet', clientSecret: 'not-set-yet' });

/**
 * The account manager issues the credentials (spec, Authentication), so a person stores them after the first
 * deployment: the output SetCredentials is the command.
 */
function serviceCredentials(scope: Construct, id: string, props: ServiceCredentialsProps): CfnSecret {
  const { key, removalPolicy, name } = props;
  const secret = new CfnSecret(scope, id, {
    description: 'Client of the SIM Management and Porting Service: {"clientId", "clientSecret"}',
    ...(name ? { name } : {}),
    kmsKeyId: key.keyArn,
    secretString: placeholder,
  });
  secret.overrideLogicalId(id);
  secret.applyRemovalPolicy(removalPolicy);
  acknowledge(secret, 'AwsSolutions-SMG4', 'Only the account manager can issue credentials: the runbook rotates them.');
  return secret;
}

interface ResultsTableProps {
  readonly deletionProtection: boolean;
  readonly removalPolicy: RemovalPolicy;
}

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** What a list of ports shows. Without the times at which sync reads, which would cost a write at each reading. */
const listedOfPorts = [
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
];

/**
 * Keys and indexes as shared/store/table.ts and docs/guides/table.md use them.
 * The table holds phone numbers but no PAC (spec gap 44), so DynamoDB's AWS managed key encrypts it: CloudTrail records
 * each use of the key, and neither a function nor a restore needs permissions for our own key. DynamoDB deletes an item
 * after the time in `expiresAt`, in seconds since 1970; items without it do not expire.
 */
function resultsTable(scope: Construct, id: string, props: ResultsTableProps): TableV2 {
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
      // Only ports have both keys. Written when what it shows changes, not at each reading (docs/guides/table.md).
      {
        indexName: 'days',
        partitionKey: text('account'),
        sortKey: text('portDay'),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: listedOfPorts,
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
