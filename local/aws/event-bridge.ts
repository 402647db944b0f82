// The embedded EventBridge: takes events over the wire as the real one does, and shows them to people instead of to rules.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { serveOnLoopback } from '../loopback.ts';

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
export type BusEvent = z.infer<typeof busEvent>;

export interface EmbeddedEventBridge {
  readonly url: string;
  readonly tcpPort: number;
  stop(): Promise<void>;
}

export interface EventBridgeOptions {
  readonly region: string;
  readonly accountId: string;
  readonly clock: () => number;
  readonly preferredTcpPort?: number | undefined;
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
    .max(10),
});
type Entry = z.infer<typeof putEvents>['Entries'][number];

/** Kept for `GET /events`, the latest; an engine that runs for weeks must not grow. */
const mostKept = 10_000;

const objectIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

export const startEventBridge = async (options: EventBridgeOptions): Promise<EmbeddedEventBridge> => {
  const { region, accountId, clock } = options;
  const kept: BusEvent[] = [];
  const followers = new Set<ServerResponse>();
  const write = (response: ServerResponse, event: BusEvent): void => {
    response.write(`${JSON.stringify(event)}\n`);
  };

  /** An entry fails by itself, as on AWS. */
  const take = ({ Detail, DetailType, Source, Time, Resources }: Entry) => {
    const detail = objectIn(Detail);
    if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
    const time = new Date(Time === undefined ? clock() : Time * 1_000).toISOString();
    const id = randomUUID();
    const origin = { source: Source, account: accountId, time, region, resources: Resources };
    const event: BusEvent = { version: '0', id, 'detail-type': DetailType, ...origin, detail };
    kept.push(event);
    if (kept.length > mostKept) kept.shift();
    for (const follower of followers) write(follower, event);
    return { EventId: id };
  };

  const put = (target: string | undefined, body: string): { status: number; content: unknown } => {
    const refused = (__type: string, message: string) => ({ status: 400, content: { __type, message } });
    if (target !== 'AWSEvents.PutEvents') return refused('ValidationException', `${target} is not available here`);
    const request = putEvents.safeParse(objectIn(body));
    if (!request.success) return refused('ValidationException', z.prettifyError(request.error));
    const Entries = request.data.Entries.map(take);
    const FailedEntryCount = Entries.filter((entry) => 'ErrorCode' in entry).length;
    return { status: 200, content: { FailedEntryCount, Entries } };
  };

  /** What is kept, one JSON value a line; with `?follow` everything that comes as well. */
  const show = (follow: boolean, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.flushHeaders();
    for (const event of kept) write(response, event);
    if (!follow) return void response.end();
    followers.add(response);
    response.once('close', () => followers.delete(response));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    if (request.method === 'GET' && pathname === '/events') return show(searchParams.has('follow'), response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, content } = put(request.headers['x-amz-target']?.toString(), Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(content));
  };

  const server = await serveOnLoopback((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  }, options.preferredTcpPort);
  return { url: server.url, tcpPort: server.tcpPort, stop: server.close };
};
