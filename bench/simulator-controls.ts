// What a benchmark changes and reads of the porting simulator that runs beside its pipeline.
import * as z from 'zod';
import { readToken } from '#cli/console/simulator-controls.ts';
import type { Pipeline } from '#cli/local-pipeline/start-pipeline.ts';

const journal = z.object({ requests: z.array(z.object({ operation: z.string() })) });

async function callSandbox({ service }: Pipeline, path: string, request: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${await readToken(service)}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.baseUrl}/_sandbox/${path}`, { ...request, headers });
  if (!answer.ok) throw new Error(`the porting simulator answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** It waits before each answer. */
export async function slowDown(pipeline: Pipeline, milliseconds: number): Promise<void> {
  const faults = [{ does: { kind: 'latency', milliseconds } }];
  await callSandbox(pipeline, 'faults', { method: 'PUT', body: JSON.stringify({ faults }) });
}

/** Calls that the simulator has received, without those for access tokens. */
export async function countCalls(pipeline: Pipeline): Promise<number> {
  const answer = await callSandbox(pipeline, 'journal');
  return journal.parse(await answer.json()).requests.filter(({ operation }) => operation !== 'token').length;
}
