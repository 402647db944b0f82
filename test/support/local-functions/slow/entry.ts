// A function that takes as long as the event asks for, and answers its process id.
import { setTimeout as delay } from 'node:timers/promises';

export const handler = async (event: { milliseconds: number }, context: { getRemainingTimeInMillis(): number }) => {
  const remaining = context.getRemainingTimeInMillis();
  await delay(event.milliseconds);
  return { pid: process.pid, remaining };
};
