// One import on the local emulator in memory: its upload, and its progress until every port is created.
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Upload } from '@aws-sdk/lib-storage';
import * as z from 'zod';
import { readToken } from '#cli/console/simulator-controls.ts';
import { type Pipeline, type PipelineOptions, startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { emulatorClients } from '#cli/target/aws-target.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createImports } from '#shared/store/imports.ts';
import { createRequests } from '#shared/store/requests.ts';

const pollEveryMs = 250;
const progressEveryMs = 5_000;

export type LocalImport = ReturnType<typeof connect>;

/** Runs `use` on a pipeline that has imported nothing before, in this process. */
export async function onPipeline<Result>(
  options: PipelineOptions,
  use: (local: LocalImport) => Promise<Result>,
): Promise<Result> {
  const pipeline = await startPipeline({ callerEnvironment: {}, log: () => undefined, ...options });
  try {
    return await use(connect(pipeline));
  } finally {
    await pipeline.stop();
  }
}

const journal = z.object({ requests: z.array(z.object({ operation: z.string() })) });

async function callSandbox({ service }: Pipeline, path: string, request: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${await readToken(service)}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.baseUrl}/_sandbox/${path}`, { ...request, headers });
  if (!answer.ok) throw new Error(`the porting simulator answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

function connect(pipeline: Pipeline) {
  const { outputs } = pipeline;
  const { s3, table } = emulatorClients(pipeline);
  const imports = createImports(table, outputs.ResultsTable ?? '');
  const requests = createRequests(table, outputs.ResultsTable ?? '');
  return {
    upload: async (Key: string, bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> => {
      const params = { Bucket: outputs.InboxBucket ?? '', Key, Body: Readable.from(bytes) };
      await new Upload({ client: s3, params }).done();
    },
    /** The latest import that has started. */
    readImport: async (): Promise<ImportItem | undefined> => (await imports.list({ limit: 1 }))[0],
    /** Epoch milliseconds of the call that created its last port. */
    lastCreated: async ({ importId }: ImportItem): Promise<number> => {
      let last = 0;
      for await (const { submittedAt } of requests.ofImport(importId)) {
        last = Math.max(last, Date.parse(submittedAt ?? ''));
      }
      return last;
    },
    /** The simulator waits before each answer. */
    slowDown: async (milliseconds: number): Promise<void> => {
      const faults = [{ does: { kind: 'latency', milliseconds } }];
      await callSandbox(pipeline, 'faults', { method: 'PUT', body: JSON.stringify({ faults }) });
    },
    /** How often each operation of the service was called, without access tokens. */
    countCalls: async (): Promise<Readonly<Record<string, number>>> => {
      const answer = await callSandbox(pipeline, 'journal');
      const { requests: calls } = journal.parse(await answer.json());
      const byKind = Map.groupBy(calls, ({ operation }) => operation);
      byKind.delete('token');
      return Object.fromEntries([...byKind].map(([operation, made]) => [operation, made.length]));
    },
  };
}

export const isCreated = ({ state, requests, requestCount }: ImportItem): boolean =>
  state !== 'planning' && requestCount > 0 && (requests.created ?? 0) >= requestCount;

/** @throws Error when the import is rejected, or one of its requests does not create a port */
export async function untilCreated(
  { readImport }: LocalImport,
  onPoll: () => void = () => undefined,
): Promise<ImportItem> {
  const begun = performance.now();
  for (let loggedAt = begun; ; await pause(pollEveryMs)) {
    const item = await readImport();
    onPoll();
    if (item !== undefined && (item.state === 'rejected' || item.requests.declined || item.requests['action-required']))
      throw new Error(`the import failed: ${JSON.stringify({ state: item.state, requests: item.requests })}`);
    if (item !== undefined && isCreated(item)) return item;
    if (performance.now() - loggedAt < progressEveryMs) continue;
    loggedAt = performance.now();
    const { state = 'uploaded', rows = 0, requests = {}, requestCount = 0 } = item ?? {};
    const created = `${requests.created ?? 0} of ${requestCount} requests created`;
    console.error(`${Math.round((loggedAt - begun) / 1000)} s: ${state}, ${rows} rows, ${created}`);
  }
}
