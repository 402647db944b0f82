// The records of the table's stream in, events out.
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Announcement } from '#shared/api/events.ts';
import type { Log } from '#shared/runtime/logger.ts';
import { createStepHandler } from '#shared/runtime/step.ts';
import type { EventBus } from '#shared/store/event-bus.ts';
import { readChange } from '#shared/store/tables/stream-records.ts';
import { announcementOf } from './announce.ts';

const numbered = z.object({ dynamodb: z.object({ SequenceNumber: z.string().check(z.minLength(1)) }) });

interface RecordedAnnouncement {
  readonly sequenceNumber: string;
  readonly announcement: Announcement;
}

/**
 * Records that cannot be read fail, as do those whose events the bus did not take. Lambda delivers again from the first
 * failed record on. What was published after it is then published twice, under the same id.
 */
export const createAnnounceHandler = ({ bus, log }: { readonly bus: EventBus; readonly log: Log }) =>
  createStepHandler({ log }, async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const failed: string[] = [];
    const announcements: RecordedAnnouncement[] = [];
    for (const record of Records) {
      const sequenceNumber = numbered.parse(record).dynamodb.SequenceNumber;
      try {
        const change = readChange(record);
        const announcement = change && announcementOf(change);
        if (announcement !== undefined) announcements.push({ sequenceNumber, announcement });
      } catch (error) {
        log.error('a record of the stream could not be read', { sequenceNumber, error });
        failed.push(sequenceNumber);
      }
    }
    failed.push(...(await publish(announcements, bus, log)));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  });

/** Returns the records whose events the bus did not accept. */
async function publish(announcements: readonly RecordedAnnouncement[], bus: EventBus, log: Log): Promise<string[]> {
  if (announcements.length === 0) return [];
  const events = announcements.map(({ announcement: { name, detail } }) => ({ name, at: detail.at, detail }));
  const left = (await bus.publish(events)).flatMap((index) => announcements[index] ?? []);
  if (left.length > 0) log.error('the bus did not take all events', { left: left.length, of: events.length });
  else log.info('announced', { events: events.length });
  return left.map(({ sequenceNumber }) => sequenceNumber);
}
