// A function that sends each batch that it gets to the queue RECORD_QUEUE_URL, as one message.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const sqs = new SQSClient({});
let invocations = 0;

export const handler = async (event: { Records?: { body: string }[] }, context: object) => {
  invocations += 1;
  const bodies = event.Records?.map(({ body }) => body) ?? [];
  const MessageBody = JSON.stringify({ pid: process.pid, invocations, bodies, event, context: Object.keys(context) });
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env.RECORD_QUEUE_URL, MessageBody }));
  return { bodies, environment: process.env };
};
