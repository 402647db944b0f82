// The event that a function gets for SQS messages, and what its answer means for them.
import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import * as z from 'zod';

const attribute = ({ StringValue, BinaryValue, DataType }: MessageAttributeValue) => ({
  ...(StringValue === undefined ? {} : { stringValue: StringValue }),
  ...(BinaryValue === undefined ? {} : { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
});

/** The `Records` event of an SQS event source mapping. */
export const sqsEvent = (messages: readonly Message[], queueArn: string, region: string) => ({
  Records: messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attribute(value)]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  })),
});

const batchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * The messages that were processed, by Lambda's rules for ReportBatchItemFailures: no answer or an empty list means
 * all, a list means all but those in it, and an answer that cannot be read or names an unknown message means none.
 */
export const processedMessages = (messages: readonly Message[], payload: unknown): readonly Message[] => {
  if (payload === null || payload === undefined) return messages;
  const response = batchResponse.safeParse(payload);
  if (!response.success) return [];
  const failed = new Set(response.data.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  const known = new Set(messages.map(({ MessageId }) => MessageId));
  if ([...failed].some((id) => !known.has(id))) return [];
  return messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
};
