// Records the IAM permissions that a function uses, while its code runs against embedded AWS services.
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { ResultsServices } from '../embedded/services.ts';

/** `<Table.Arn>` as the template's statements formatValue it, without the hash of the logical id. */
export interface UsedPermission {
  readonly role: string;
  readonly action: string;
  readonly resource: string;
}

export interface PermissionRecorder {
  /** Runs `work` as the function with that role. */
  as<Result>(role: string, work: () => Promise<Result>): Promise<Result>;
  /** Each permission once. */
  readonly used: () => readonly UsedPermission[];
}

interface Input {
  readonly Bucket?: string;
  readonly Key?: string;
  readonly VersionId?: string;
  readonly CopySource?: string;
  readonly QueueUrl?: string;
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly Statements?: readonly { readonly Statement: string }[];
  readonly TransactItems?: readonly Readonly<Record<string, unknown>>[];
  readonly Entries?: readonly { readonly EventBusName?: string }[];
}

type Rights = readonly (readonly [action: string, resource: string])[];

const bucketOf = ({ Bucket = '' }: Input): string => `<${Bucket[0]?.toUpperCase()}${Bucket.slice(1)}.Arn>`;
const objectOf = (input: Input): string => `${bucketOf(input)}/${input.Key}`;
const queueOf = ({ QueueUrl = '' }: Input): string => {
  const name = QueueUrl.split('/').at(-1) ?? '';
  return `<${name[0]?.toUpperCase()}${name.slice(1)}Queue.Arn>`;
};
const table = '<Table.Arn>';

/** Without s3:ListBucket, S3 answers 403 instead of 404 for a missing object. */
const reading = (input: Input): Rights => [
  ['s3:GetObject', objectOf(input)],
  ...(input.VersionId === undefined ? [] : [['s3:GetObjectVersion', objectOf(input)] as const]),
  ['s3:ListBucket', bucketOf(input)],
];
const writing = (input: Input): Rights => [['s3:PutObject', objectOf(input)]];
const item =
  (action: string) =>
  (input: Input): Rights => [[`dynamodb:${action}`, input.IndexName ? `${table}/index/${input.IndexName}` : table]];

const rightsOf: Readonly<Record<string, (input: Input) => Rights>> = {
  HeadObjectCommand: reading,
  GetObjectCommand: reading,
  ListObjectVersionsCommand: (input) => [['s3:ListBucketVersions', bucketOf(input)]],
  CopyObjectCommand: (input) => {
    const [, bucket = '', key = '', version] =
      /^([^/]+)\/([^?]+)(?:\?versionId=(.*))?$/.exec(input.CopySource ?? '') ?? [];
    const source = { Bucket: bucket, Key: decodeURIComponent(key), ...(version && { VersionId: version }) };
    return [...reading(source), ...writing(input)];
  },
  PutObjectCommand: writing,
  CreateMultipartUploadCommand: writing,
  UploadPartCommand: writing,
  CompleteMultipartUploadCommand: writing,
  ListPartsCommand: (input) => [['s3:ListMultipartUploadParts', objectOf(input)]],
  AbortMultipartUploadCommand: (input) => [['s3:AbortMultipartUpload', objectOf(input)]],
  GetItemCommand: item('GetItem'),
  PutItemCommand: item('PutItem'),
  UpdateItemCommand: item('UpdateItem'),
  DeleteItemCommand: item('DeleteItem'),
  QueryCommand: item('Query'),
  BatchGetItemCommand: item('BatchGetItem'),
  BatchExecuteStatementCommand: ({ Statements = [] }) =>
    Statements.map(({ Statement }) => {
      if (!Statement.startsWith('INSERT')) throw new Error(`which right does ${Statement} need?`);
      return ['dynamodb:PartiQLInsert', table];
    }),
  TransactWriteItemsCommand: ({ TransactItems = [] }) =>
    TransactItems.flatMap((write) => Object.keys(write).map((verb) => [`dynamodb:${verb}Item`, table] as const)),
  SendMessageBatchCommand: (input) => [['sqs:SendMessage', queueOf(input)]],
  PutEventsCommand: ({ Entries = [] }) =>
    Entries.map(({ EventBusName }) => ['events:PutEvents', `<${EventBusName}.Arn>`]),
  ChangeMessageVisibilityBatchCommand: (input) => [['sqs:ChangeMessageVisibility', queueOf(input)]],
};

/** @throws for a command that the list above does not know */
export function rightsOfCommand(command: string, input: object): Rights {
  const rights = rightsOf[command] ?? rightsOf[command.replace(/Command$/, 'ItemCommand')];
  if (rights === undefined) throw new Error(`which right does ${command} need?`);
  return rights(input);
}

/** What all clients of the SDK have in common. */
interface RecordedClient {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: { readonly input: Input }) => unknown,
        context: { readonly commandName?: string },
      ) => (args: { readonly input: Input }) => unknown,
      options: { readonly step: 'initialize'; readonly name: string },
    ): void;
  };
}

/** @throws for a command that the list above does not know */
export function recordUsedPermissions(
  services: ResultsServices,
  others: readonly Pick<EventBridgeClient, 'middlewareStack'>[] = [],
): PermissionRecorder {
  const used = new Map<string, UsedPermission>();
  let acting: string | undefined;

  const note = (command: string, input: Input): void => {
    if (acting === undefined) return;
    for (const [action, resource] of rightsOfCommand(command, input)) {
      used.set(`${acting} ${action} ${resource}`, { role: acting, action, resource });
    }
  };

  for (const client of [services.s3, services.sqs, services.table, ...others] as unknown as readonly RecordedClient[]) {
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          note(commandName, args.input);
          return next(args);
        },
      { step: 'initialize', name: 'recordUsedPermissions' },
    );
  }
  return {
    as: async (role, work) => {
      acting = role;
      try {
        return await work();
      } finally {
        acting = undefined;
      }
    },
    used: () => [...used.values()],
  };
}
