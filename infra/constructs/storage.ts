// Everything that keeps data: the encryption key, the buckets, the results table and the service's credentials.
import { RemovalPolicy } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { fixLogicalId } from '../fixed-logical-id.ts';
import type { Configuration } from '../settings.ts';
import { AuditTrail } from './audit-trail.ts';
import { denyUnreadableUploads } from './inbox-policy.ts';
import { logsBucket, privateBucket } from './private-bucket.ts';
import { resultsTable } from './results-table.ts';
import { serviceCredentials } from './service-credentials.ts';

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
    const { retention, production, service, auditTrail } = configuration;
    // Retained, but not where their creation is rolled back: leftovers would make the next deployment fail.
    const removalPolicy = production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
    this.key = fixLogicalId(
      new Key(this, 'Key', {
        description: 'Encrypts everything in simporter that holds a PAC or a credential',
        enableKeyRotation: true,
        removalPolicy,
      }),
    );
    const { key } = this;
    const accessLogs = logsBucket(this, 'AccessLogs', { expireDays: retention.logDays, removalPolicy });
    const common = { key, accessLogs, removalPolicy };
    // Each version is a separate import: overwriting a file does not change an import in progress (fault 2).
    this.inbox = privateBucket(this, 'Inbox', { ...common, expireDays: retention.inboxDays, versioned: true });
    denyUnreadableUploads(this.inbox, key);
    this.work = privateBucket(this, 'Work', { ...common, expireDays: retention.planDays });
    this.results = privateBucket(this, 'Results', { ...common, expireDays: retention.resultsDays });
    if (auditTrail) {
      const audited = [this.inbox, this.results];
      new AuditTrail(this, 'AuditTrail', { configuration, accessLogs, removalPolicy, audited });
    }
    this.table = resultsTable(this, 'Table', { deletionProtection: production, removalPolicy });
    this.secretArn = serviceCredentials(this, 'Credentials', { key, removalPolicy, name: service.secretName }).ref;
  }
}
