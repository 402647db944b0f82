// Queries of all results (decision 56): a table of the files that report writes, and a workgroup that limits what a
// query reads. People query with their own permissions, so nothing here has a role.
import { Duration, Names, Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import { Construct } from 'constructs';
import { analyticsColumns, analyticsPartitions, analyticsTableName } from '#shared/results/analytics-table.ts';
import { analyticsPrefix, queryResultsPrefix } from '#shared/store/object-keys.ts';
import type { Configuration } from '../settings.ts';
import type { Storage } from './storage.ts';

/** What one query may read: 100 million rows, for 5 cents. */
const maxScannedBytes = 10 * 1024 ** 3;
/** The shortest time that S3 has. */
const queryResultDays = 1;

export interface AnalyticsProps {
  readonly configuration: Configuration;
  readonly storage: Storage;
}

export class Analytics extends Construct {
  readonly outputs: { readonly AnalyticsDatabase: string; readonly AnalyticsWorkgroup: string };

  constructor(scope: Construct, id: string, { configuration, storage: { results, key } }: AnalyticsProps) {
    super(scope, id);
    const { account } = Stack.of(this);
    // They have no generated names. Names in Glue have lower case.
    const name = Names.uniqueResourceName(this, { maxLength: 100, separator: '_' }).toLowerCase();
    const database = new CfnDatabase(this, 'Database', {
      catalogId: account,
      databaseInput: { name, description: 'simporter: results of all imports' },
    });
    const location = `s3://${results.bucketName}/${analyticsPrefix}`;
    new CfnTable(this, 'Table', {
      catalogId: account,
      databaseName: database.ref,
      tableInput: {
        name: analyticsTableName,
        description: 'Every row of every finished import',
        tableType: 'EXTERNAL_TABLE',
        partitionKeys: Object.keys(analyticsPartitions).map((partition) => ({ name: partition, type: 'string' })),
        parameters: { EXTERNAL: 'TRUE', classification: 'parquet', ...projection(location, configuration) },
        storageDescriptor: {
          columns: [...analyticsColumns],
          location,
          inputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat',
          outputFormat: 'org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat',
          serdeInfo: { serializationLibrary: 'org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe' },
        },
      },
    });
    results.addLifecycleRule({ prefix: queryResultsPrefix, expiration: Duration.days(queryResultDays) });
    new CfnWorkGroup(this, 'Workgroup', {
      name,
      description: 'simporter: queries of results',
      // With the history of its queries.
      recursiveDeleteOption: true,
      workGroupConfiguration: {
        enforceWorkGroupConfiguration: true,
        bytesScannedCutoffPerQuery: maxScannedBytes,
        publishCloudWatchMetricsEnabled: true,
        requesterPaysEnabled: false,
        resultConfiguration: {
          outputLocation: `s3://${results.bucketName}/${queryResultsPrefix}`,
          expectedBucketOwner: account,
          encryptionConfiguration: { encryptionOption: 'SSE_KMS', kmsKey: key.keyArn },
        },
      },
    });
    this.outputs = { AnalyticsDatabase: name, AnalyticsWorkgroup: name };
  }
}

/** Athena computes the partitions from these, so nobody has to add one. It does not ask for months long past. */
function projection(location: string, { retention }: Configuration): Record<string, string> {
  const months = Math.ceil(retention.resultsDays / 28) + 12;
  return {
    'projection.enabled': 'true',
    'projection.operation.type': 'enum',
    'projection.operation.values': analyticsPartitions.operation.join(','),
    'projection.month.type': 'date',
    'projection.month.format': analyticsPartitions.month,
    'projection.month.interval': '1',
    'projection.month.interval.unit': 'MONTHS',
    'projection.month.range': `NOW-${months}MONTHS,NOW`,
    'storage.location.template': `${location}operation=\${operation}/month=\${month}/`,
  };
}
