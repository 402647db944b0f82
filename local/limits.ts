// What AWS declines: every limit that the emulator holds, with the page that states it (read in November 2026). Other
// files take each value from here, and docs/contributing/aws.md has a row for each.

interface Limit {
  /** What is counted, in words for people. */
  readonly name: string;
  readonly value: number;
  /** Below https://docs.aws.amazon.com/ */
  readonly page: string;
}

const lambda = 'lambda/latest/dg/gettingstarted-limits.html';
const invoke = 'lambda/latest/api/API_Invoke.html';
const mapping = 'lambda/latest/api/API_CreateEventSourceMapping.html';
const scaling = 'lambda/latest/api/API_ScalingConfig.html';
const sqsMessages = 'AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html';
const sqsReceive = 'AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html';
const s3Parts = 'AmazonS3/latest/userguide/qfacts.html';
const eventBridge = 'eventbridge/latest/APIReference/API_PutEvents.html';
const httpApi = 'apigateway/latest/developerguide/http-api-quotas.html';
const dynamodb = 'amazondynamodb/latest/developerguide/Constraints.html';

export const limits = {
  // The page says 6 MB, the error of Lambda names the exact number.
  lambdaAnswerBytes: { name: 'Bytes of the answer of a function, as JSON', value: 6_291_556, page: lambda },
  lambdaEventBytes: { name: 'Bytes of an event for whose answer the caller waits', value: 6_291_456, page: invoke },
  lambdaAsyncEventBytes: { name: 'Bytes of an asynchronous event', value: 1_048_576, page: invoke },
  lambdaSeconds: { name: 'Seconds that a function may take', value: 900, page: lambda },
  lambdaMinMemoryMb: { name: 'MB of memory of a function, at least', value: 128, page: lambda },
  lambdaMaxMemoryMb: { name: 'MB of memory of a function, at most', value: 10_240, page: lambda },
  lambdaVariablesBytes: { name: 'Bytes of the variables of a function, as JSON', value: 4_096, page: lambda },
  lambdaChain: {
    name: 'Invocations of a function in one chain of messages',
    value: 16,
    page: 'lambda/latest/dg/invocation-recursion.html',
  },
  mappingBatch: { name: 'Messages or records in a batch', value: 10_000, page: mapping },
  mappingBatchWithoutWindow: { name: 'Messages in a batch without a batching window', value: 10, page: mapping },
  mappingWindowSeconds: { name: 'Seconds of a batching window', value: 300, page: mapping },
  mappingMinConcurrency: { name: 'Concurrent invocations for a queue, at least', value: 2, page: scaling },
  mappingMaxConcurrency: { name: 'Concurrent invocations for a queue, at most', value: 1_000, page: scaling },
  sqsQueueName: {
    name: 'Characters of the name of a queue',
    value: 80,
    page: 'AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html',
  },
  sqsMessageBytes: {
    name: 'Bytes of a message with its attributes, and of a batch',
    value: 1_048_576,
    page: sqsMessages,
  },
  sqsBatch: { name: 'Messages in a batch of SQS', value: 10, page: sqsMessages },
  sqsBatchId: { name: 'Characters of the id of a message in a batch', value: 80, page: sqsMessages },
  sqsAttributes: { name: 'Attributes of a message', value: 10, page: sqsMessages },
  sqsGroupId: { name: 'Characters of the group of a message', value: 128, page: sqsMessages },
  sqsDelaySeconds: { name: 'Seconds by which a message is delayed', value: 900, page: sqsMessages },
  sqsVisibilitySeconds: { name: 'Seconds for which a message is hidden', value: 43_200, page: sqsMessages },
  sqsReceived: { name: 'Messages of one receive', value: 10, page: sqsReceive },
  sqsWaitSeconds: { name: 'Seconds that a receive waits', value: 20, page: sqsReceive },
  s3KeyBytes: { name: 'Bytes of a key', value: 1_024, page: 'AmazonS3/latest/userguide/object-keys.html' },
  s3MetadataBytes: {
    name: 'Bytes of the metadata of an object, names and values',
    value: 2_048,
    page: 'AmazonS3/latest/userguide/UsingMetadata.html',
  },
  s3PartBytes: { name: 'Bytes of a part but the last, at least', value: 5_242_880, page: s3Parts },
  s3Parts: { name: 'Parts of an upload', value: 10_000, page: s3Parts },
  eventBridgeEntries: { name: 'Events in a call of PutEvents', value: 10, page: eventBridge },
  eventBridgeBytes: { name: 'Bytes of the events in a call of PutEvents', value: 1_048_576, page: eventBridge },
  httpHeadBytes: { name: 'Bytes of the request line and the header values', value: 10_240, page: httpApi },
  httpSeconds: { name: 'Seconds that an HTTP API waits for a function', value: 30, page: httpApi },
  dynamodbItemBytes: { name: 'Bytes of an item', value: 409_600, page: dynamodb },
  dynamodbReads: { name: 'Items in a BatchGetItem', value: 100, page: dynamodb },
  dynamodbStatements: {
    name: 'Statements in a BatchExecuteStatement',
    value: 25,
    page: 'amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html',
  },
  dynamodbTransaction: { name: 'Writes in a transaction', value: 100, page: dynamodb },
} as const satisfies Readonly<Record<string, Limit>>;
