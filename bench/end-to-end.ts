// How long an import takes from its upload until every port is created, compared with the rate limit of the service.
// Prints one line of JSON, and progress on stderr: `npx node bench/end-to-end.ts [--requests N]`. See METHOD.md.
import { parseArgs } from 'node:util';
import { wallClock } from '#shared/runtime/clock.ts';
import { generateBlocks } from '../test/support/ingest/generate-rows.ts';
import { onPipeline, untilCreated } from './local-import.ts';

async function measure(callsPerSecond: number, msPerCall: number, requests: number) {
  const serviceVariables = { callsPerSecond: String(callsPerSecond) };
  return onPipeline({ sandbox: true, serviceVariables }, async (local) => {
    if (msPerCall > 0) await local.slowDown(msPerCall);
    const begun = wallClock();
    // Each row becomes a separate request: requests of a hundred rows would measure the computer.
    await local.upload(
      'create-port/bench.csv',
      generateBlocks({ rows: requests, combinations: requests, sorted: true }),
    );
    const item = await untilCreated(local);
    const callsByKind = await local.countCalls();
    const seconds = ((await local.lastCreated(item)) - begun) / 1000;
    const rounded = (value: number): number => Math.round(value * 100) / 100;
    return {
      /** The rate limit of the service. */
      callsPerSecond,
      /** How long the service waits before each answer. */
      msPerCall,
      requests: item.requestCount,
      /** From the first uploaded byte to the last created port, by the ledger. */
      secondsToCreated: Math.round(seconds * 10) / 10,
      /** Relative to one call for each request, at the rate limit. */
      ratioToLimit: rounded((seconds * callsPerSecond) / item.requestCount),
      /** Calls to the service until then, without those for access tokens. */
      callsPerRequest: rounded(Object.values(callsByKind).reduce((sum, calls) => sum + calls, 0) / item.requestCount),
      /** The same calls by the operation of the service. */
      callsByKind,
    };
  });
}

const { values } = parseArgs({ options: { requests: { type: 'string' } } });
const figures: unknown[] = [];
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
