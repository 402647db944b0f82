// A function that sends every message that it gets to its own queue again, with a higher number.
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

const sqs = new SQSClient({});

export const handler = async (event: { Records: { body: string }[] }) => {
  const Entries = event.Records.map(({ body }, index) => ({
    Id: String(index),
    MessageBody: String(Number(body) + 1),
  }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: process.env.WORK_QUEUE_URL, Entries }));
};
