// A function that reports every message whose body contains "bad" as failed, and answers nonsense where one is
// "nonsense". It makes a message that contains "made visible" visible at once.
import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';

const sqs = new SQSClient({});

interface Message {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
}

const retryLater = ({ receiptHandle: ReceiptHandle }: Message) =>
  sqs.send(
    new ChangeMessageVisibilityCommand({ QueueUrl: process.env.WORK_QUEUE_URL, ReceiptHandle, VisibilityTimeout: 0 }),
  );

export const handler = async (event: { Records: Message[] }) => {
  if (event.Records.some(({ body }) => body === 'throw')) throw new Error('thrown on purpose');
  if (event.Records.some(({ body }) => body === 'nonsense')) return { batchItemFailures: [{ itemIdentifier: '' }] };
  const failed = event.Records.filter(({ body }) => body.includes('bad'));
  await Promise.all(failed.filter(({ body }) => body.includes('made visible')).map(retryLater));
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
};
