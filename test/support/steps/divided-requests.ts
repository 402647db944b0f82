// A request of 100 SIMs which the service declines as a whole, and the parts in which its rows are sent again.

import type { SubmitPipeline } from '#functions/submit/attempt.ts';
import { collectResults, rollUp } from '#shared/outcome/rows-of-requests.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import type { PlannedRow } from '#shared/request/request.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { Rejected } from '#shared/service/errors.ts';
import { simAt } from '../ingest/valid-rows.ts';
import { rig } from './fresh-services.ts';
import { planRequest } from './planned-requests.ts';
import { importItemOf } from './submit-and-sync.ts';

export const importId = 'sims';
export const rowCount = 100;
export const lines = Array.from({ length: rowCount }, (_, index) => index + 2);
export const simOf = (line: number): string => simAt(line);
export const head = { networkNumber: 232, message: 'STATUS?', binary: false };
export const rowsOf = (ofLines: readonly number[], of?: string): PlannedRow[] =>
  ofLines.map((line) => ({ line, subject: simOf(line), wire: {}, ...(of && { correctedRow: `${of}/${line}` }) }));
export const plan = (ofLines = lines, ofImport = importId) =>
  planRequest(rig, { importId: ofImport, operation: 'send-sms', head, rows: rowsOf(ofLines) });

export const decline = (message = 'a SIM is not on hire', fieldErrors: { field: string; message: string }[] = []) =>
  new Rejected({ message, fieldErrors, msisdns: [] }, { call: 'POST /api/simSubmission', status: 400 });

/** @param answer throws where the service does not take the SIMs of a call, which are given by their lines */
export function service(answer: (lines: readonly number[], calls: number) => void = () => {}) {
  const accepted: number[][] = [];
  let calls = 0;
  const submit = async (_path: string, body: unknown): Promise<string> => {
    calls += 1;
    const { serialNumbers } = body as { serialNumbers: string[] };
    const sent = lines.filter((line) => serialNumbers.includes(simOf(line)));
    answer(sent, calls);
    accepted.push(sent);
    return `ticket-${accepted.length}`;
  };
  return { accepted, calls: () => calls, submit };
}

/** Declines a call with one of these lines, without naming it. */
export const declining = (badLines: readonly number[]) =>
  service((sent) => {
    if (sent.some((line) => badLines.includes(line))) throw decline();
  });

/** Declines a call with one of these lines, and names only the first of them. */
export const naming = (badLines: readonly number[]) =>
  service((sent) => {
    const place = sent.findIndex((line) => badLines.includes(line));
    const named = { field: `serialNumbers[${place}]`, message: `no SIM ${sent[place]}` };
    if (place >= 0) throw decline('invalid', [named]);
  });

export type Service = Pick<ReturnType<typeof service>, 'submit'>;

/** With a queue that the test empties. */
export function partsOf({ submit }: Service) {
  const { client, queues } = rig.submitParts();
  const queue: SubmitMessage[] = [];
  const send = async (_url: string, messages: readonly unknown[]) => {
    queue.push(...(messages as SubmitMessage[]));
  };
  return { queue, parts: { client: { ...client, submit }, queues: { ...queues, send } } };
}

/** Delivers every message, until none is left. */
export async function deliver(
  messages: readonly SubmitMessage[],
  there: Service,
  changes: Partial<SubmitPipeline> = {},
): Promise<void> {
  const { queue, parts } = partsOf(there);
  queue.push(...messages);
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    await rig.submit(next, { ...parts, ...changes });
}

export const all = (ofImport = importId) => Array.fromAsync(rig.requests.ofImport(ofImport));
export const resultsOf = async (ofImport = importId) => {
  const none = async function* () {};
  const results = await collectResults(rig.requests.ofImport(ofImport), { itemsOf: none, rowsOf: none }, none());
  return (line: number) => results.of(line);
};
export const stateOf = async () => (await rollUp(await all(), 1)).state;
export const progress = (rows = rowCount) => readImportProgress(rig, importItemOf(importId, { rows, accepted: rows }));
export const declinedLines = async () => {
  const resultOf = await resultsOf();
  return lines.filter((line) => resultOf(line)?.outcome === 'declined');
};
