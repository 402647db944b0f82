// A declined request that is sent again in halves, because the service named no row (docs/decisions/0037).

import { expect, test } from 'vitest';
import type { SubmitPipeline } from '#functions/submit/end-message.ts';
import { collectResults, rollUp } from '#shared/outcome/rows-of-requests.ts';
import { packLines } from '#shared/request/lines.ts';
import { resendRequest } from '#shared/request/request-state.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { Ambiguous, Rejected } from '#shared/service/errors.ts';
import { double } from '../../support/double.ts';
import { simAt } from '../../support/ingest/ingest.ts';
import { rig, useFreshRig } from '../../support/steps/fresh-services.ts';
import { planRequest } from '../../support/steps/planned-requests.ts';
import { importItemOf, quietMs } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const importId = 'sims';
const rowCount = 100;
const lines = Array.from({ length: rowCount }, (_, index) => index + 2);
const simOf = (line: number): string => simAt(line);
const plan = (ofLines = lines, ofImport = importId) =>
  planRequest(rig, {
    importId: ofImport,
    operation: 'send-sms',
    head: { networkNumber: 232, message: 'STATUS?', binary: false },
    rows: ofLines.map((line) => ({ line, subject: simOf(line), wire: {} })),
  });

/** Declines a call with one of these lines, without naming it. */
function service(badLines: readonly number[]) {
  const accepted: string[][] = [];
  let calls = 0;
  const submit = async (_path: string, body: unknown): Promise<string> => {
    calls += 1;
    const { serialNumbers } = body as { serialNumbers: string[] };
    if (badLines.some((line) => serialNumbers.includes(simOf(line)))) {
      const decline = { message: 'a SIM is not on hire', fieldErrors: [], msisdns: [] };
      throw new Rejected(decline, { call: 'POST /api/simSubmission', status: 400 });
    }
    accepted.push(serialNumbers);
    return `ticket-${accepted.length}`;
  };
  return { accepted, calls: () => calls, submit };
}

type Service = Pick<ReturnType<typeof service>, 'submit'>;

const partsOf = ({ submit }: Service): Partial<SubmitPipeline> => {
  const { client } = rig.submitParts();
  return { client: { ...client, submit } };
};

/** One delivery after the other, as the queue does. */
async function deliver(message: Awaited<ReturnType<typeof plan>>, parts: Partial<SubmitPipeline>): Promise<string> {
  let state: string = 'planned';
  while (state === 'planned') state = await rig.submit(message, parts);
  return state;
}

const resultsOf = async () => {
  const none = async function* () {};
  const results = await collectResults(rig.requests.ofImport(importId), { itemsOf: none, rowsOf: none }, none());
  return lines.map((line) => results.of(line));
};
const progress = () => readImportProgress(rig, importItemOf(importId, { rows: rowCount, accepted: rowCount }));

test('one row that the service declines without naming it costs no other, and at most 15 calls', async () => {
  const there = service([40]);
  expect(await deliver(await plan(), partsOf(there))).toBe('accepted');
  expect(there.calls()).toBeLessThanOrEqual(15);
  expect(there.accepted.flat().sort()).toEqual(
    lines
      .filter((line) => line !== 40)
      .map(simOf)
      .sort(),
  );
  const results = await resultsOf();
  expect(results[38]).toMatchObject({ outcome: 'declined', message: 'a SIM is not on hire' });
  // Every other row shows the ticket of the call that it was in.
  for (const [index, sims] of there.accepted.entries()) {
    const tickets = sims.map((sim) => results[lines.findIndex((line) => simOf(line) === sim)]);
    expect(new Set(tickets.map((result) => `${result?.outcome} ${result?.portId}`))).toEqual(
      new Set([`accepted ticket-${index + 1}`]),
    );
  }
  expect(await progress()).toEqual({
    outcomes: { accepted: 99, declined: 1 },
    split: { requests: 1, calls: there.calls() },
  });
});

test('a request of which every row is declined costs at most 58 calls, and every row has the reason', async () => {
  const there = service(lines);
  expect(await deliver(await plan(), partsOf(there))).toBe('declined');
  expect(there.calls()).toBeLessThanOrEqual(58);
  expect((await resultsOf()).every((result) => result?.outcome === 'declined' && result.message !== '')).toBe(true);
  expect(await progress()).toMatchObject({ outcomes: { declined: 100 } });
});

test('several declined rows are found, wherever they are', async () => {
  const bad = [2, 51, 52, 101];
  expect(await deliver(await plan(), partsOf(service(bad)))).toBe('accepted');
  const results = await resultsOf();
  expect(lines.filter((_, index) => results[index]?.outcome === 'declined')).toEqual(bad);
  expect(await progress()).toMatchObject({ outcomes: { accepted: 96, declined: 4 } });
});

test('a part is sent again without the rows that the answer names', async () => {
  const there = service([40]);
  const naming = async (path: string, body: unknown): Promise<string> => {
    const at = (body as { serialNumbers: string[] }).serialNumbers.indexOf(simOf(90));
    if (at < 0 || there.calls() === 0) return there.submit(path, body);
    const fieldErrors = [{ field: `serialNumbers[${at}]`, message: 'no such SIM' }];
    throw new Rejected({ message: 'invalid', fieldErrors, msisdns: [] }, { call: 'POST /api', status: 400 });
  };
  expect(await deliver(await plan(), partsOf({ submit: naming }))).toBe('accepted');
  const results = await resultsOf();
  expect([results[38]?.outcome, results[88]?.message]).toEqual(['declined', 'no such SIM']);
  expect(await progress()).toMatchObject({ outcomes: { accepted: 98, declined: 2 } });
});

/** Declines a call with one of these lines, and names only the first of them. */
function namingService(badLines: readonly number[]) {
  const there = service([]);
  let declined = 0;
  const submit = async (path: string, body: unknown): Promise<string> => {
    const { serialNumbers } = body as { serialNumbers: string[] };
    const bad = badLines.find((line) => serialNumbers.includes(simOf(line)));
    if (bad === undefined) return there.submit(path, body);
    declined += 1;
    const fieldErrors = [{ field: `serialNumbers[${serialNumbers.indexOf(simOf(bad))}]`, message: `no SIM ${bad}` }];
    throw new Rejected({ message: 'invalid', fieldErrors, msisdns: [] }, { call: 'POST /api', status: 400 });
  };
  return { submit, calls: () => there.calls() + declined };
}

test('a request is sent again as long as each answer names another row', async () => {
  const bad = [3, 7, 60];
  const there = namingService(bad);
  expect(await deliver(await plan(), partsOf(there))).toBe('accepted');
  expect(there.calls()).toBe(4);
  const results = await resultsOf();
  expect(lines.filter((_, index) => results[index]?.outcome === 'declined')).toEqual(bad);
  expect(bad.map((line) => results[line - 2]?.message)).toEqual(bad.map((line) => `no SIM ${line}`));
  expect(await progress()).toMatchObject({ outcomes: { accepted: 97, declined: 3 } });
});

test('rows that are named one by one are sent again within the same bound', async () => {
  const there = namingService(lines);
  expect(await deliver(await plan(), partsOf(there))).toBe('declined');
  expect(there.calls()).toBeLessThanOrEqual(58);
  expect(there.calls()).toBeGreaterThan(28);
  expect((await resultsOf()).every((result) => result?.outcome === 'declined' && result.message !== '')).toBe(true);
});

test('an unknown outcome stops at its part: nothing of it is sent again before a person decides', async () => {
  const there = service([101]);
  const message = await plan();
  const parts = partsOf(there);
  const lost = async (path: string, body: unknown): Promise<string> => {
    if (there.calls() !== 2) return there.submit(path, body);
    throw new Ambiguous('no answer', { call: 'POST /api' });
  };
  expect(await deliver(message, partsOf({ submit: lost }))).toBe('unknown');
  expect(await progress()).toMatchObject({ outcomes: { accepted: 50, unknown: 50 } });
  rig.pass(quietMs);
  await rig.sync();
  const item = await rig.request(importId);
  expect(item).toMatchObject({ state: 'action-required', split: { current: packLines(lines.slice(50)) } });
  expect(await rollUp([item], 1)).toMatchObject({ actionRequired: 50 });
  expect(await rig.submit(message, parts)).toBe('not-mine');
  const resolution = { at: new Date(0).toISOString(), by: 'May', what: 'resend' } as const;
  await rig.requests.replace(item, resendRequest(item, resolution, rig.service.now()));
  // The first call may be executed late, so a decline is not believed: no half of it is sent.
  expect(await deliver(message, parts)).toBe('unknown');
  expect(there.accepted.map((sims) => sims.length)).toEqual([50]);
});

test('after the resent part, the declines of the parts that were never sent before are believed', async () => {
  const there = service([101]);
  const message = await plan();
  const lost = async (path: string, body: unknown): Promise<string> => {
    if (there.calls() !== 1) return there.submit(path, body);
    throw new Ambiguous('no answer', { call: 'POST /api' });
  };
  expect(await deliver(message, partsOf({ submit: lost }))).toBe('unknown');
  rig.pass(quietMs);
  await rig.sync();
  const item = await rig.request(importId);
  expect(item).toMatchObject({ state: 'action-required', split: { current: packLines(lines.slice(0, 50)) } });
  const resolution = { at: new Date(0).toISOString(), by: 'May', what: 'resend' } as const;
  await rig.requests.replace(item, resendRequest(item, resolution, rig.service.now()));
  expect(await deliver(message, partsOf(there))).toBe('accepted');
  expect(await progress()).toMatchObject({ outcomes: { accepted: 99, declined: 1 } });
});

test('a crash between any two effects sends no row twice', async () => {
  const rows = lines.slice(0, 8);
  let points = Number.POSITIVE_INFINITY;
  let crashAt = 0;
  while (points >= crashAt) {
    crashAt += 1;
    const there = service([5]);
    const message = await plan(rows, `sims-${crashAt}`);
    points = 0;
    const crashHere = () => {
      points += 1;
      if (points === crashAt) throw new Error('crashed');
    };
    const crashing =
      <Args extends unknown[], Answer>(effect: (...args: Args) => Promise<Answer>) =>
      async (...args: Args): Promise<Answer> => {
        crashHere();
        const answer = await effect(...args);
        crashHere();
        return answer;
      };
    const parts = { ...rig.submitParts(), ...partsOf(there) };
    const { requests, queues, client } = parts;
    const crash = {
      ...parts,
      requests: { get: requests.get, replace: crashing(requests.replace) },
      queues: { ...queues, send: crashing(queues.send) },
      client: { ...client, submit: crashing(client.submit) },
    };
    let state: string;
    do state = await rig.submit(message, double(crash)).catch(() => 'planned');
    while (state === 'planned');
    const sent = there.accepted.flat();
    expect(new Set(sent).size).toBe(sent.length);
    const item = await rig.request(message.importId);
    expect(['accepted', 'in-flight', 'unknown']).toContain(item.state);
    if (item.state === 'accepted') expect(sent).toHaveLength(rows.length - 1);
  }
  // Before and after the record, the call, the answer and the message of each call: at least 7 calls.
  expect(points).toBeGreaterThan(7 * 6);
});
