// How long an import takes from its upload until every port is created, compared with the rate limit of the service.
// Prints one line of JSON, and progress on stderr: `npx node bench/end-to-end.ts [--requests N]`. See METHOD.md.
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { readToken } from '#cli/console/simulator-controls.ts';
import { type Pipeline, startPipeline } from '#cli/local-pipeline/start-pipeline.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { connect, untilCreated } from './local-import.ts';

export interface EndToEndFigures {
  /** The rate limit of the service. */
  readonly callsPerSecond: number;
  /** How long the service waits before each answer. */
  readonly msPerCall: number;
  readonly requests: number;
  /** From the first uploaded byte to the last created port, by the ledger. */
  readonly secondsToCreated: number;
  /** Relative to one call for each request, at the rate limit. */
  readonly ratioToLimit: number;
  /** Calls to the service until then, without those for access tokens. */
  readonly callsPerRequest: number;
}

const journal = z.object({ requests: z.array(z.object({ operation: z.string() })) });

async function callSandbox({ service }: Pipeline, path: string, request: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${await readToken(service)}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.baseUrl}/_sandbox/${path}`, { ...request, headers });
  if (!answer.ok) throw new Error(`the porting simulator answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function slowDown(pipeline: Pipeline, milliseconds: number): Promise<void> {
  const faults = [{ does: { kind: 'latency', milliseconds } }];
  await callSandbox(pipeline, 'faults', { method: 'PUT', body: JSON.stringify({ faults }) });
}

/** Calls that the simulator has received. */
async function countCalls(pipeline: Pipeline): Promise<number> {
  const answer = await callSandbox(pipeline, 'journal');
  return journal.parse(await answer.json()).requests.filter(({ operation }) => operation !== 'token').length;
}

async function measure(callsPerSecond: number, msPerCall: number, requests: number): Promise<EndToEndFigures> {
  const serviceVariables = { callsPerSecond: String(callsPerSecond) };
  const pipeline = await startPipeline({
    callerEnvironment: {},
    log: () => undefined,
    sandbox: true,
    serviceVariables,
  });
  try {
    const { upload, readImport, lastCreated } = connect(pipeline);
    if (msPerCall > 0) await slowDown(pipeline, msPerCall);
    const begun = wallClock();
    // Each row becomes a separate request: requests of a hundred rows would measure the computer.
    await upload({ rows: requests, combinations: requests, sorted: true });
    const item = await untilCreated(readImport, () => undefined);
    const calls = await countCalls(pipeline);
    const seconds = ((await lastCreated(item)) - begun) / 1000;
    const rounded = (value: number): number => Math.round(value * 100) / 100;
    return {
      callsPerSecond,
      msPerCall,
      requests: item.requestCount,
      secondsToCreated: Math.round(seconds * 10) / 10,
      ratioToLimit: rounded((seconds * callsPerSecond) / item.requestCount),
      callsPerRequest: rounded(calls / item.requestCount),
    };
  } finally {
    await pipeline.stop();
  }
}

const { values } = parseArgs({ options: { requests: { type: 'string' } } });
const figures: EndToEndFigures[] = [];
for (const [callsPerSecond, msPerCall, seconds] of [
  [10, 0, 100],
  [10, 300, 100],
  [50, 0, 100],
  [100, 0, 60],
] as const) {
  const requests = values.requests === undefined ? callsPerSecond * seconds : Number(values.requests);
  console.error(`${callsPerSecond} calls per second, answered after ${msPerCall} ms, ${requests} requests`);
  figures.push(await measure(callsPerSecond, msPerCall, requests));
}
console.log(JSON.stringify(figures));
