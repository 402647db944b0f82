// The embedded EventBridge: accepts events as the real one does. It has no rules; the command `events` shows them.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { operationOf, readBody } from '../http/loopback.ts';
import { limits } from '../limits.ts';

/** An event as a target of a rule would get it. */
export const busEvent = z.object({
  version: z.literal('0'),
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  account: z.string(),
  time: z.iso.datetime(),
  region: z.string(),
  resources: z.array(z.string()),
  detail: z.unknown(),
});
type BusEvent = z.infer<typeof busEvent>;

interface EventBridgeOptions {
  readonly region: string;
  readonly accountId: string;
  readonly clock: () => number;
}

const putEvents = z.object({
  Entries: z
    .array(
      z.object({
        Source: z.string().min(1),
        DetailType: z.string().min(1),
        Detail: z.string(),
        Time: z.number().optional(),
        Resources: z.array(z.string()).default([]),
        EventBusName: z.string().optional(),
      }),
    )
    .min(1)
    .max(limits.eventBridgeEntries.value),
});
type Entry = z.infer<typeof putEvents>['Entries'][number];

/** Only the latest events are kept: an emulator that runs for weeks must not grow. */
const mostKept = 10_000;
/** Twice the largest events: JSON escapes. */
const largestRequestBytes = 2 * limits.eventBridgeBytes.value;

/** As EventBridge counts them. */
const bytesOf = ({ Detail, DetailType, Source, Time, Resources }: Entry): number =>
  [Detail, DetailType, Source, ...Resources].reduce((sum, text) => sum + Buffer.byteLength(text), Time ? 14 : 0);

const objectIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

export const createEventBridge = ({ region, accountId, clock }: EventBridgeOptions) => {
  /** The events as lines of JSON. */
  const kept: string[] = [];
  const followers = new Set<ServerResponse>();

  /** A failed entry does not affect the others, as on AWS. */
  const take = ({ Detail, DetailType, Source, Time, Resources }: Entry) => {
    const detail = objectIn(Detail);
    if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const time = new Date(Time === undefined ? clock() : Time * 1_000).toISOString();
    const id = randomUUID();
    const origin = { source: Source, account: accountId, time, region, resources: Resources };
    const event: BusEvent = { version: '0', id, 'detail-type': DetailType, ...origin, detail };
    const line = `${JSON.stringify(event)}\n`;
    kept.push(line);
    if (kept.length > mostKept) kept.shift();
    for (const follower of followers) follower.write(line);
    return { EventId: id };
  };

  const put = (operation: string, body: string): { status: number; content: unknown } => {
    const declined = (__type: string, message: string) => ({ status: 400, content: { __type, message } });
    if (operation !== 'PutEvents') return declined('ValidationException', `${operation} is not available here`);
    const request = putEvents.safeParse(objectIn(body));
    if (!request.success) return declined('ValidationException', z.prettifyError(request.error));
    const bytes = request.data.Entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
    if (bytes > limits.eventBridgeBytes.value) {
      return declined('ValidationException', 'Total size of the entries in the request is over the limit.');
    }
    const Entries = request.data.Entries.map(take);
    const FailedEntryCount = Entries.filter((entry) => 'ErrorCode' in entry).length;
    return { status: 200, content: { FailedEntryCount, Entries } };
  };

  return {
    /** PutEvents. */
    handle: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await readBody(request, largestRequestBytes);
      const { status, content } = put(operationOf(request), body.toString());
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(content));
    },
    /** Writes the events, one JSON value per line; with `?follow` also new ones until the client disconnects. */
    show: (request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.flushHeaders();
      for (const line of kept) response.write(line);
      if (!request.url?.includes('?follow')) return void response.end();
      followers.add(response);
      response.once('close', () => followers.delete(response));
    },
  };
};
