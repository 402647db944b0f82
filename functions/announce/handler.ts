// The envelope of announce: records of the table's stream in, events out.
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { EventBus } from '#shared/aws/event-bus.ts';
import { readChange } from '#shared/aws/stream-records.ts';
import type { Announcement } from '#shared/events/events.ts';
import type { Log } from '#shared/runtime/logger.ts';
import { announcementOf } from './announce.ts';

export interface AnnounceHandlerParts {
  readonly bus: EventBus;
  readonly log: Log;
}

export type AnnounceHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

const numbered = z.object({ dynamodb: z.object({ SequenceNumber: z.string().check(z.minLength(1)) }) });

interface News {
  readonly sequenceNumber: string;
  readonly announcement: Announcement;
}

/**
 * A record that cannot be read is answered as failed, as are those whose events the bus did not take. Lambda delivers again from
 * the first of them on; what was published behind it is then published twice, under the same id.
 */
export function createAnnounceHandler({ bus, log }: AnnounceHandlerParts): AnnounceHandler {
  return async ({ Records }) => {
    const failed: string[] = [];
    const news: News[] = [];
    for (const record of Records) {
      const sequenceNumber = numbered.parse(record).dynamodb.SequenceNumber;
      try {
        const change = readChange(record);
        const announcement = change && announcementOf(change);
        if (announcement !== undefined) news.push({ sequenceNumber, announcement });
      } catch (error) {
        log.error('a record of the stream was not understood', { sequenceNumber, error });
        failed.push(sequenceNumber);
      }
    }
    failed.push(...(await publish(news, bus, log)));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** Answers the records whose events were not taken. */
async function publish(news: readonly News[], bus: EventBus, log: Log): Promise<string[]> {
  if (news.length === 0) return [];
  const events = news.map(({ announcement: { name, detail } }) => ({ name, at: detail.at, detail }));
  const left = (await bus.publish(events)).flatMap((place) => news[place] ?? []);
  if (left.length > 0) log.error('the bus did not take all events', { left: left.length, of: news.length });
  else log.info('announced', { events: news.length });
  return left.map(({ sequenceNumber }) => sequenceNumber);
}
