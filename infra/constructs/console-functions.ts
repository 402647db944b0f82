// The two functions of the API, each with exactly what its routes need.
import { Stack } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { importsPrefix, portsPrefix, referenceDataPrefix } from '#shared/store/object-keys.ts';
import { reservedConcurrency } from '../derived-settings.ts';
import type { FunctionCode } from '../function-names.ts';
import type { Configuration } from '../settings.ts';
import {
  detectMissingObjects,
  operatingProps,
  type Permission,
  queryIndex,
  readSecret,
  SimporterFunction,
  sendTo,
  useItems,
  useItemsNamed,
} from './function.ts';
import type { Queues } from './queues.ts';
import type { Sync } from './steps.ts';
import type { Storage } from './storage.ts';

/** What the console uses of the pipeline's stack. */
export interface PipelineParts {
  readonly storage: Storage;
  readonly queues: Queues;
  readonly sync: Sync;
  /** The variables of its functions. */
  readonly environment: Readonly<Record<string, string>>;
}

interface ConsoleFunctionsProps extends PipelineParts {
  readonly configuration: Configuration;
  readonly code: FunctionCode;
}

/** An HTTP API, and CloudFront before it, wait at most 30 seconds for an answer. */
const timeoutSeconds = 29;

/** Objects of a bucket of the pipeline's stack, by an export: it names the same ARN before and after the synthesis. */
const objectsIn = (bucket: IBucket, pattern: string): string =>
  `${Stack.of(bucket).exportValue(bucket.bucketArn)}/${pattern}`;

const readObjects = (bucket: IBucket, pattern: string, wildcard: string): Permission => ({
  actions: ['s3:GetObject'],
  resources: [objectsIn(bucket, pattern)],
  wildcard,
});

const perImport = 'one folder per import';

const commonProps = ({ configuration, code }: ConsoleFunctionsProps) => ({
  code,
  timeoutSeconds,
  ...operatingProps(configuration),
  releases: 'direct' as const,
});

function apiEnvironment({ configuration, environment, sync }: ConsoleFunctionsProps): Record<string, string> {
  const { stage, production, console } = configuration;
  return {
    ...environment,
    ENVIRONMENT_NAME: stage,
    ENVIRONMENT_KIND: production ? 'production' : stage === 'local' ? 'local' : 'sandbox',
    ENVIRONMENT_COLOUR: console.colour,
    SYNC_FUNCTION: sync.target.functionArn,
  };
}

export function createReadFunction(scope: Construct, props: ConsoleFunctionsProps): SimporterFunction {
  const { storage } = props;
  const { table, results, work, key } = storage;
  const read = new SimporterFunction(scope, 'ApiRead', {
    ...commonProps(props),
    name: 'api-read',
    reservedConcurrency: reservedConcurrency(props.configuration, 'api-read'),
    memoryMegabytes: 1024,
    environment: apiEnvironment(props),
  });
  read.allow('ReadItems', useItems(table, 'BatchGetItem', 'GetItem', 'Query'));
  read.allow('ListItems', queryIndex(table, 'listed'));
  read.allow('ListPortDays', queryIndex(table, 'days'));
  // Who received a link to a file. The function writes nothing else, so it cannot change who uploaded or approved.
  read.allow('RecordDownloads', useItemsNamed(table, 'PutItem', 'download#*'));
  // Downloads are signed with this permission.
  read.allow('ReadResults', readObjects(results, `${importsPrefix}*`, perImport));
  read.allow('ReadReferenceData', readObjects(results, `${referenceDataPrefix}*`, 'one file for each list'));
  read.allow('ReadPortList', readObjects(results, `${portsPrefix}*`, 'one list for each account'));
  // Plans contain PACs; their index does not.
  read.allow('ReadPlanIndexes', readObjects(work, `${importsPrefix}*/plan-index.ndjson`, perImport));
  read.allow('DetectMissingFiles', detectMissingObjects(results, work));
  read.allowKey(key, ['s3']);
  return read;
}

export function createWriteFunction(scope: Construct, props: ConsoleFunctionsProps): SimporterFunction {
  const { storage, queues, sync } = props;
  const { table, inbox, results, work, key, secretArn } = storage;
  const write = new SimporterFunction(scope, 'ApiWrite', {
    ...commonProps(props),
    name: 'api-write',
    reservedConcurrency: reservedConcurrency(props.configuration, 'api-write'),
    memoryMegabytes: 512,
    environment: apiEnvironment(props),
  });
  write.allow('ReadItems', useItems(table, 'BatchGetItem', 'GetItem'));
  // `service#`: the rate limit of calls to the service. Nothing that the pipeline writes: no import, request or port.
  const own = ['audit#*', 'draft#*', 'saved#*', 'resolution#*', 'upload#*', 'idempotency#*'];
  write.allow('WriteItems', useItemsNamed(table, 'PutItem', ...own, 'service#*'));
  // The parts and requests of an import, of which a person stops or cancels all, and how many settings are saved.
  write.allow('ListItems', useItemsNamed(table, 'Query', 'import#*', 'saved#*'));
  write.allow('DeleteSavedSettings', useItemsNamed(table, 'DeleteItem', 'saved#*'));
  write.allow('ReadResults', readObjects(results, `${importsPrefix}*`, perImport));
  write.allow('KeepDrafts', {
    actions: ['s3:GetObject', 's3:PutObject'],
    resources: [objectsIn(work, `${importsPrefix}*/draft-*.json`)],
    wildcard: 'one file for each save of a draft',
  });
  write.allow('DetectMissingFiles', detectMissingObjects(results, inbox, work));
  write.allow('Upload', {
    actions: ['AbortMultipartUpload', 'GetObject', 'GetObjectVersion', 'ListMultipartUploadParts', 'PutObject'].map(
      (action) => `s3:${action}`,
    ),
    resources: [objectsIn(inbox, 'plan/*')],
    wildcard: 'one folder per upload, and nothing below plan/ is sent before its approval',
  });
  write.allow('Command', sendTo(queues.command));
  write.allow('CommandSync', { actions: ['lambda:InvokeFunction'], resources: [sync.target.functionArn] });
  write.allow('ReadCredentials', readSecret(secretArn));
  write.allowKey(key, ['s3', 'secretsmanager']);
  return write;
}
