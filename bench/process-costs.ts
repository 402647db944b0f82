// What a created request costs on the local emulator in memory, by process, and the calls to AWS that it takes, which
// are also what it costs there. Prints one line of JSON: `npx node bench/process-costs.ts [--requests N]`. See
// METHOD.md.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { generateBlocks } from '../test/support/ingest/generate-rows.ts';
import { type LocalImport, onPipeline, untilCreated } from './local-import.ts';
import { createProcessSampler } from './processes.ts';

/** The computer is the limit. */
const callsPerSecond = 1_000;

/** Counts what the emulator in this process is asked for. */
function countAwsCalls() {
  const counts = new Map<string, number>();
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { readonly request: IncomingMessage };
    const name = request.headers['x-amz-target']?.toString().replace(/_\d+/, '') ?? `S3 ${request.method}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  });
  return counts;
}

async function measure(local: LocalImport, requests: number) {
  const sampler = createProcessSampler();
  const calls = countAwsCalls();
  await local.upload('create-port/bench.csv', generateBlocks({ rows: requests, combinations: requests, sorted: true }));
  const { requestCount } = await untilCreated(local, sampler.sample);
  const stages = Object.entries(sampler.stages());
  const perRequest = (amount: number): number => Math.round((amount * 100) / requestCount) / 100;
  return {
    requests: requestCount,
    /** CPU time in milliseconds for each request that created a port, with the start of the functions. */
    cpuMsPerRequest: perRequest(stages.reduce((sum, [, { cpuMs }]) => sum + cpuMs, 0)),
    byProcess: Object.fromEntries(stages.map(([stage, { cpuMs }]) => [stage, perRequest(cpuMs)])),
    awsCallsPerRequest: Object.fromEntries([...calls].sort().map(([name, count]) => [name, perRequest(count)])),
    serviceCallsByKind: await local.countCalls(),
  };
}

const { values } = parseArgs({ options: { requests: { type: 'string', default: '2000' } } });
const options = { sandbox: true, serviceVariables: { callsPerSecond: String(callsPerSecond) } };
console.log(JSON.stringify(await onPipeline(options, (local) => measure(local, Number(values.requests)))));
