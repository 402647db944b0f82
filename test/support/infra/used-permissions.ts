// Which IAM permissions a command needs, and those that a function uses while its code runs against embedded services.
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { ResultsServices } from '../embedded/services.ts';

/** What one command may need of one resource. */
export interface Right {
  readonly action: string;
  /** `<Table.Arn>` as the template's statements formatValue it, without the hash of the logical id. */
  readonly resource: string;
  /** The partition keys of the items of the table: `dynamodb:LeadingKeys`. */
  readonly partitions?: readonly string[];
}

export interface UsedPermission extends Right {
  readonly role: string;
}

export interface PermissionRecorder {
  /** Runs `work` as the function with that role. */
  as<Result>(role: string, work: () => Promise<Result>): Promise<Result>;
  /** Each permission once. */
  readonly used: () => readonly UsedPermission[];
}

type ItemInput = Readonly<Record<string, unknown>>;

interface Input {
  readonly Bucket?: string;
  /** Of an object, or of an item. */
  readonly Key?: string | ItemInput;
  readonly VersionId?: string;
  readonly CopySource?: string;
  readonly QueueUrl?: string;
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Item?: ItemInput;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly ItemInput[] }>>;
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters?: readonly unknown[] }[];
  readonly TransactItems?: readonly Readonly<Record<string, Input>>[];
  readonly Entries?: readonly { readonly EventBusName?: string }[];
}

type Rights = readonly Right[];

const bucketOf = ({ Bucket = '' }: Input): string => `<${Bucket[0]?.toUpperCase()}${Bucket.slice(1)}.Arn>`;
const objectOf = (input: Input): string => `${bucketOf(input)}/${input.Key}`;
const queueOf = ({ QueueUrl = '' }: Input): string => {
  const name = QueueUrl.split('/').at(-1) ?? '';
  return `<${name[0]?.toUpperCase()}${name.slice(1)}Queue.Arn>`;
};
const table = '<Table.Arn>';

/** Without s3:ListBucket, S3 answers 403 instead of 404 for a missing object. */
const reading = (input: Input): Rights => [
  { action: 's3:GetObject', resource: objectOf(input) },
  ...(input.VersionId === undefined ? [] : [{ action: 's3:GetObjectVersion', resource: objectOf(input) }]),
  { action: 's3:ListBucket', resource: bucketOf(input) },
];
const onObject =
  (action: string) =>
  (input: Input): Rights => [{ action: `s3:${action}`, resource: objectOf(input) }];
const writing = onObject('PutObject');
const onQueue =
  (action: string) =>
  (input: Input): Rights => [{ action: `sqs:${action}`, resource: queueOf(input) }];

/** An attribute as it is, or as DynamoDB has it on the wire. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : String((value as { readonly S?: string } | undefined)?.S);
const partitionOf = ({ Key, Item = Key as ItemInput }: Input): string => textOf(Item?.pk);
const item =
  (action: string) =>
  (input: Input): Rights => [{ action: `dynamodb:${action}`, resource: table, partitions: [partitionOf(input)] }];
const query = ({ IndexName, ExpressionAttributeValues: values }: Input): Rights => [
  IndexName
    ? { action: 'dynamodb:Query', resource: `${table}/index/${IndexName}` }
    : { action: 'dynamodb:Query', resource: table, partitions: [textOf(values?.[':pk'])] },
];
/** Values are given in the order of the names, of which the partition key is one. */
function insert({ Statement, Parameters = [] }: NonNullable<Input['Statements']>[number]): Right {
  if (!Statement.startsWith('INSERT')) throw new Error(`which right does ${Statement} need?`);
  const names = [...Statement.matchAll(/'(\w+)': \?/g)].map(([, name]) => name);
  return { action: 'dynamodb:PartiQLInsert', resource: table, partitions: [textOf(Parameters[names.indexOf('pk')])] };
}

const rightsOf: Readonly<Record<string, (input: Input) => Rights>> = {
  HeadObjectCommand: reading,
  GetObjectCommand: reading,
  ListObjectVersionsCommand: (input) => [{ action: 's3:ListBucketVersions', resource: bucketOf(input) }],
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
  ListPartsCommand: onObject('ListMultipartUploadParts'),
  AbortMultipartUploadCommand: onObject('AbortMultipartUpload'),
  GetItemCommand: item('GetItem'),
  PutItemCommand: item('PutItem'),
  UpdateItemCommand: item('UpdateItem'),
  DeleteItemCommand: item('DeleteItem'),
  QueryCommand: query,
  BatchGetItemCommand: ({ RequestItems = {} }) =>
    Object.values(RequestItems).map(({ Keys = [] }) => ({
      action: 'dynamodb:BatchGetItem',
      resource: table,
      partitions: Keys.map(({ pk }) => textOf(pk)),
    })),
  BatchExecuteStatementCommand: ({ Statements = [] }) => Statements.map(insert),
  TransactWriteItemsCommand: ({ TransactItems = [] }) =>
    TransactItems.flatMap((write) => Object.entries(write).flatMap(([verb, input]) => item(`${verb}Item`)(input))),
  SendMessageBatchCommand: onQueue('SendMessage'),
  PutEventsCommand: ({ Entries = [] }) =>
    Entries.map(({ EventBusName }) => ({ action: 'events:PutEvents', resource: `<${EventBusName}.Arn>` })),
  ChangeMessageVisibilityBatchCommand: onQueue('ChangeMessageVisibility'),
};

/** @throws for a command that the list above does not know */
export function rightsOfCommand(command: string, input: object): Rights {
  const rights =
    rightsOf[command] ??
    rightsOf[command.replace(/Command$/, 'ItemCommand')] ??
    rightsOf[command.replace(/Command$/, 'ItemsCommand')];
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
    for (const right of rightsOfCommand(command, input)) {
      used.set(`${acting} ${JSON.stringify(right)}`, { role: acting, ...right });
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
