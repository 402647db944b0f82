// Which event a record of the table stream is.
import type { DynamoDBRecord } from 'aws-lambda';
import { expect } from 'vitest';
import { announcementOf, readChange } from '#functions/announce/handler.ts';
import { createFilter } from '#local/stream/filter.ts';
import { type EventName, eventDetails } from '#shared/api/events.ts';
import { resourcesOf } from './checks/read-template.ts';
import { synthesise } from './template.ts';

const mapping = resourcesOf(synthesise('prod'), 'AWS::Lambda::EventSourceMapping').find(
  ([, { FilterCriteria }]) => FilterCriteria !== undefined,
)?.[1];

/** Whether a record passes the filter of the event source mapping: others cannot be events. */
export const passes = createFilter(mapping?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => Pattern));

/** What is published of the record; nothing for a change that is no event. */
export const announce = (record: DynamoDBRecord) => {
  const change = readChange(record);
  return change && announcementOf(change);
};

/** The event of the record, checked with its published schema and with the filter. */
export const eventOf = (record: DynamoDBRecord) => {
  const announcement = announce(record);
  if (announcement === undefined) throw new Error('it makes no event');
  expect(passes(record)).toBe(true);
  const detail = eventDetails[announcement.name as EventName].strict().parse(announcement.detail);
  return { ...detail, name: announcement.name };
};
