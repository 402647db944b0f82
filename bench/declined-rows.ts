// What an import costs of which the service declines every row, or one row of each request, and names none: its calls,
// by the real submit and a table in an embedded DynamoDB. Prints one line of JSON: `npx node bench/declined-rows.ts
// [--quick]`. METHOD.md explains it.
import { parseArgs } from 'node:util';
import { type SubmitMessage, submitMessage } from '#shared/request/messages.ts';
import { Rejected } from '#shared/service/errors.ts';
import { startResultsServices } from '../test/support/embedded/services.ts';
import { mulberry32 } from '../test/support/ingest/generate-rows.ts';
import { simAt } from '../test/support/ingest/valid-rows.ts';
import { importItemOf, startRig } from '../test/support/steps/submit-and-sync.ts';

const rowsPerRequest = 100;
const head = { networkNumber: 232, message: 'STATUS?', binary: false };

type Wrong = 'every row' | 'one row of each request';
/** In which messages are delivered, one after another. SQS keeps the order mostly, and promises none. */
type Order = 'as sent' | 'any';

async function measure(requests: number, wrong: Wrong, order: Order) {
  const services = await startResultsServices();
  const closing: (() => Promise<void>)[] = [services.stop];
  try {
    const rig = await startRig(services, (close) => closing.unshift(close));
    const groups = Array.from({ length: requests }, (_, group) =>
      Array.from({ length: rowsPerRequest }, (_, row) => {
        const line = group * rowsPerRequest + row + 2;
        return { line, subject: simAt(line), wire: {} };
      }),
    );
    const bad = new Set(
      groups.flatMap((rows) => (wrong === 'every row' ? rows : rows.slice(40, 41))).map(({ subject }) => subject),
    );
    const importId = 'sims';
    await rig.imports.begin(importItemOf(importId, { operation: 'send-sms', requestCount: requests }));
    const queue: SubmitMessage[] = await rig.plan(importId, groups, head as never, 'send-sms');
    let calls = 0;
    const submit = async (_path: string, body: unknown): Promise<string> => {
      calls += 1;
      const { serialNumbers } = body as { serialNumbers: string[] };
      if (!serialNumbers.some((sim) => bad.has(sim))) return `ticket-${calls}`;
      const decline = { message: 'a SIM is not on hire', fieldErrors: [], msisdns: [] };
      throw new Rejected(decline, { call: 'POST /api/simSubmission', status: 400 });
    };
    const { client, queues } = rig.submitParts();
    const send = async (_url: string, messages: readonly unknown[]) => {
      queue.push(...messages.map((message) => submitMessage.parse(message)));
    };
    const random = mulberry32(1);
    const next = () => queue.splice(order === 'any' ? Math.floor(random() * queue.length) : 0, 1)[0];
    for (let message = next(); message !== undefined; message = next())
      await rig.submit(message, { client: { ...client, submit }, queues: { ...queues, send } });
    return { requests, rows: requests * rowsPerRequest, wrong, order, calls, callsPerRequest: calls / requests };
  } finally {
    for (const close of closing) await close();
  }
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const figures = [await measure(1, 'one row of each request', 'as sent'), await measure(1, 'every row', 'as sent')];
for (const requests of values.quick ? [20] : [20, 100])
  for (const order of ['as sent', 'any'] as const) figures.push(await measure(requests, 'every row', order));
console.log(JSON.stringify(figures));
