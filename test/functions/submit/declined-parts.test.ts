// The parts of a declined request, sent one after another, also when something interrupts them.

import { describe, expect, test } from 'vitest';
import { mostUndivided } from '#functions/submit/declined-parts.ts';
import { createImportReadings } from '#functions/submit/stopped-imports.ts';
import type { StopKind } from '#shared/import/import.ts';
import { rollUp } from '#shared/outcome/rows-of-requests.ts';
import { type SubmitMessage, submitMessage } from '#shared/request/messages.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import { abandonRequest, isUndecided, resendRequest } from '#shared/request/request-state.ts';
import { Ambiguous, CallDeferred, Conflict } from '#shared/service/errors.ts';
import { partNumber } from '#shared/text/identity.ts';
import { someImport } from '../../support/cli/imports.ts';
import { double } from '../../support/double.ts';
import { hour } from '../../support/service/simulator.ts';
import {
  all,
  decline,
  declinedLines,
  declining,
  deliver,
  head,
  importId,
  lines,
  naming,
  partsOf,
  plan,
  progress,
  resultsOf,
  rowCount,
  rowsOf,
  service,
  stateOf,
} from '../../support/steps/divided-requests.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { planRequest } from '../../support/steps/planned-requests.ts';
import { quietMs } from '../../support/steps/submit-and-sync.ts';

// A declined request whose rows are sent again in parts, because the service named no row (docs/decisions/0037).
describe('in their order', () => {
  useFreshRig();

  test('one row that the service declines without naming it costs no other, and 21 calls', async () => {
    const there = declining([40]);
    await deliver([await plan()], there);
    expect(there.calls()).toBe(21);
    expect(there.accepted.flat().sort()).toEqual(lines.filter((line) => line !== 40).sort());
    const resultOf = await resultsOf();
    expect(resultOf(40)).toMatchObject({ outcome: 'declined', message: 'a SIM is not on hire' });
    // Every other row shows the ticket of the call that it was in.
    for (const [index, sent] of there.accepted.entries())
      for (const line of sent)
        expect(resultOf(line)).toMatchObject({ outcome: 'accepted', portId: `ticket-${index + 1}` });
    expect(await progress()).toEqual({ outcomes: { accepted: 99, declined: 1 }, split: { requests: 1, calls: 21 } });
    expect(await stateOf()).toBe('finished');
  });

  test('what is wrong for every row costs eleven calls a request, and every row has the reason', async () => {
    const there = declining(lines);
    await deliver([await plan()], there);
    expect(there.calls()).toBe(11);
    const resultOf = await resultsOf();
    expect(lines.every((line) => resultOf(line)?.message.startsWith('a SIM is not on hire'))).toBe(true);
    expect(await progress()).toMatchObject({ outcomes: { declined: 100 } });
  });

  test('a part waits for the answers to the others before its rows are sent again', async () => {
    const bad = lines.slice(0, 90);
    const there = declining(bad);
    await deliver([await plan()], there);
    // The last part is accepted, so each of the others is divided.
    expect(there.calls()).toBe(101);
    expect(there.accepted).toEqual([lines.slice(90)]);
    expect(await declinedLines()).toEqual(bad);
  });

  test('a valid row is declined with others only where every part has a wrong one, and says so', async () => {
    const bad = lines.filter((_, index) => index % 10 === 0);
    await deliver([await plan()], declining(bad));
    expect(await declinedLines()).toEqual(lines);
    const told = 'a SIM is not on hire (the service declined 10 rows together, and named none)';
    expect((await resultsOf())(3)).toMatchObject({ message: told });
  });

  test('parts that are declined for different reasons are divided', async () => {
    const there = service((sent) => {
      throw decline(sent.includes(50) ? 'a SIM is barred' : 'a SIM is not on hire, reference 4711');
    });
    await deliver([await plan()], there);
    expect(there.calls()).toBe(111);
    expect((await resultsOf())(50)).toMatchObject({ outcome: 'declined', message: 'a SIM is barred' });
  });

  test('a reference in the answer is no other reason', async () => {
    const there = service((_, calls) => {
      throw decline(`Declined. Reference: 8f31-${calls}`);
    });
    await deliver([await plan()], there);
    expect(there.calls()).toBe(11);
  });

  test('several declined rows are found, wherever they are', async () => {
    const bad = [2, 51, 52, 101];
    await deliver([await plan()], declining(bad));
    expect(await declinedLines()).toEqual(bad);
    expect(await progress()).toMatchObject({ outcomes: { accepted: 96, declined: 4 } });
  });

  test('a part is sent again without the rows that the answer names', async () => {
    const there = service((sent, calls) => {
      if (sent.includes(40)) throw decline();
      const place = sent.indexOf(90);
      if (place >= 0 && calls > 1)
        throw decline('invalid', [{ field: `serialNumbers[${place}]`, message: 'no such SIM' }]);
    });
    await deliver([await plan()], there);
    const resultOf = await resultsOf();
    expect([resultOf(40)?.outcome, resultOf(90)?.message]).toEqual(['declined', 'no such SIM']);
    expect(await progress()).toMatchObject({ outcomes: { accepted: 98, declined: 2 } });
  });

  test('a request is sent again while fewer than ten rows were named', async () => {
    const bad = [3, 7, 60];
    const there = naming(bad);
    await deliver([await plan()], there);
    expect(there.calls()).toBe(4);
    const resultOf = await resultsOf();
    expect(await declinedLines()).toEqual(bad);
    expect(bad.map((line) => resultOf(line)?.message)).toEqual(bad.map((line) => `no SIM ${line}`));
    expect(await progress()).toMatchObject({ outcomes: { accepted: 97, declined: 3 } });
  });

  test('rows that are named one by one cost at most 111 calls', async () => {
    const there = naming(lines);
    await deliver([await plan()], there);
    expect(there.calls()).toBeLessThanOrEqual(111);
    expect(await declinedLines()).toEqual(lines);
  });

  /** A plan with so many requests, each of 100 rows. */
  async function planMany(requests: number): Promise<SubmitMessage[]> {
    await rig.imports.begin(someImport({ importId, requestCount: requests, state: 'submitting' }));
    const groups = Array.from({ length: requests }, (_, index) => rowsOf(lines.map((line) => line + index * rowCount)));
    return rig.plan(importId, groups, head as never, 'send-sms');
  }

  test('after three requests of which every part is declined for one reason, no other is divided', async () => {
    const requests = 20;
    let calls = 0;
    const submit = async (): Promise<string> => {
      calls += 1;
      throw decline();
    };
    await deliver(await planMany(requests), { submit });
    expect((await rig.imports.get(importId))?.undivided).toHaveLength(mostUndivided);
    // The parts of the others are not sent: the requests were divided before the first parts were answered.
    expect(calls).toBe(requests + mostUndivided * 10);
    expect(await progress(requests * rowCount)).toMatchObject({ outcomes: { declined: requests * rowCount } });
    const resultOf = await resultsOf();
    expect(resultOf(requests * rowCount)?.message).toContain('not sent again, because every part of 3 requests');
    await rig.imports.begin(someImport({ importId: 'later', undivided: (await rig.imports.get(importId))?.undivided }));
    const [later] = await rig.plan('later', [rowsOf(lines)], head as never, 'send-sms');
    await deliver([later as SubmitMessage], { submit });
    expect((await all('later')).map(({ state, parts }) => [state, parts])).toEqual([['declined', undefined]]);
  });

  test('a request that is declined for another reason is divided all the same', async () => {
    await rig.imports.begin(someImport({ importId, undivided: ['1', '2', '3'].map((one) => `${one} 400 no credit`) }));
    const there = declining([40]);
    await deliver([await plan()], there);
    expect(await declinedLines()).toEqual([40]);
  });
});

// What interrupts a request that is sent again in parts: an unknown outcome, a stop, a lost message or write, a crash.
describe('interrupted', () => {
  useFreshRig();

  test('an unknown outcome concerns its part only, and a person resolves it', async () => {
    const there = service((sent) => {
      if (sent.length > 10 || sent.includes(101)) throw decline();
      if (sent[0] === 12) throw new Ambiguous('no answer', { call: 'POST /api' });
    });
    const first = await plan();
    await deliver([first], there);
    const unknown = await rig.request(importId, partNumber(1, 2));
    expect(unknown).toMatchObject({ state: 'unknown', part: packLines(lines.slice(10, 20)) });
    expect(await progress()).toMatchObject({ outcomes: { accepted: 89, declined: 1, unknown: 10 } });
    rig.pass(quietMs);
    await rig.sync();
    const item = await rig.request(importId, partNumber(1, 2));
    expect(item.state).toBe('action-required');
    expect(await rollUp(await all(), 1)).toMatchObject({ actionRequired: 10 });
    const resolution = { at: new Date(0).toISOString(), by: 'May', what: 'resend' } as const;
    const { plan: range } = first;
    await rig.requests.replace(item, resendRequest(item, resolution, rig.service.now()));
    // The first call may be executed late, so a decline is not believed: no row of it is sent again.
    await deliver([{ importId, request: item.request, plan: range }], declining([12]));
    const again = await rig.request(importId, item.request);
    expect(again.state).toBe('unknown');
    const abandoned = abandonRequest(again, { ...resolution, what: 'abandon' }, 'abandoned', rig.service.now());
    await rig.requests.replace(again, abandoned);
    expect(await progress()).toMatchObject({ outcomes: { accepted: 89, declined: 11 } });
    expect(await stateOf()).toBe('finished');
  });

  test.each(['until-resumed', 'for-good'] as const)('an import that is stopped (%s) sends no part', async (kind) => {
    let stop: StopKind = 'none';
    const { readStop } = createImportReadings(
      async () => someImport({ stop: { by: 'Sam', at: '2026-07-06T09:00:00.000Z', kind: stop } }),
      rig.service.now,
    );
    const there = service((sent, calls) => {
      // The answers to three parts are known, and two of them are waiting.
      if (calls === 4) stop = kind;
      if (sent.length > 10 || calls < 4) throw decline();
      rig.pass(2_000);
    });
    const first = await plan();
    await deliver([first], there, { readStop });
    expect(there.accepted).toEqual([lines.slice(20, 30)]);
    const outcome = kind === 'for-good' ? { 'not-sent': 90 } : { waiting: 90 };
    expect(await progress()).toMatchObject({ outcomes: { accepted: 10, ...outcome } });
    if (kind === 'for-good') return expect(await stateOf()).toBe('finished');
    stop = 'none';
    rig.pass(2_000);
    const waiting = (await all()).filter(({ state }) => state === 'planned');
    const sent = declining([101]);
    await deliver(
      waiting.map(({ request, plan }) => ({ importId, request, plan })),
      sent,
      { readStop },
    );
    expect(await progress()).toMatchObject({ outcomes: { accepted: 99, declined: 1 } });
  });

  test('a part waits for others while the service is down, and is not sent once more', async () => {
    const { queue, parts } = partsOf(
      service((sent) => {
        if (sent.length > 10 || sent[0] === 2) throw decline();
      }),
    );
    await rig.submit(await plan(), parts);
    await rig.submit(queue.shift() as SubmitMessage, parts);
    const item = await rig.request(importId, partNumber(1, 1));
    expect([isUndecided(item), item.attempt]).toEqual([true, 1]);
    expect((await resultsOf())(2)).toMatchObject({
      outcome: 'waiting',
      whatToDo: expect.stringContaining('No action'),
    });
    const down = async () => Promise.reject(new CallDeferred('the service is down', 1_000, { call: 'the next call' }));
    const client = { ...parts.client, throwIfDeferred: down, submit: down };
    const again = { importId, request: item.request, plan: item.plan };
    expect(await rig.submit(again, { ...parts, client })).toBe('planned');
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await rig.submit(next, parts);
    expect(await declinedLines()).toEqual([2]);
  });

  test('parts that wait for one whose message is lost look for it less and less often, until sync sends it', async () => {
    const there = service((sent) => {
      if (sent.length > 10 || sent[0] === 2) throw decline();
    });
    const { parts } = partsOf(there);
    const sent: { readonly message: SubmitMessage; readonly at: number }[] = [];
    const send = async (_url: string, messages: readonly unknown[], { delaySeconds = 0 } = {}) => {
      const at = rig.service.now() + delaySeconds * 1000;
      sent.push(...(messages as SubmitMessage[]).map((message) => ({ message, at })));
    };
    const all = { ...parts, queues: { ...parts.queues, send } };
    await rig.submit(await plan(), all);
    const [first] = sent.splice(0);
    let looks = 0;
    for (let next = first; next !== undefined; next = sent.shift()) {
      rig.pass(Math.max(0, next.at - rig.service.now()));
      expect(await rig.submit(next.message, all)).toBe('planned');
      looks += 1;
      expect(looks).toBeLessThan(12);
    }
    expect(await rig.request(importId, partNumber(1, 1))).toMatchObject({ attempt: 1, error: { isUndecided: true } });
    rig.pass(hour);
    services.emptyQueues();
    expect(await rig.sync()).toMatchObject({ resent: 10 });
    await deliver(
      services.waiting('submit').map(({ body }) => submitMessage.parse(body)),
      there,
    );
    expect(await declinedLines()).toEqual([2]);
    expect(await progress()).toMatchObject({ outcomes: { accepted: 99, declined: 1 } });
  });

  test('the messages of the parts are lost: sync sends them', async () => {
    const there = declining([40]);
    const lost = { ...rig.submitParts().queues, send: async () => Promise.reject(new Error('lost')) };
    const { parts } = partsOf(there);
    await expect(rig.submit(await plan(), { ...parts, queues: lost })).rejects.toThrow('lost');
    rig.pass(hour);
    services.emptyQueues();
    expect(await rig.sync()).toMatchObject({ resent: 10 });
    const messages = services.waiting('submit').map(({ body }) => submitMessage.parse(body));
    await deliver(messages, there);
    expect(await progress()).toMatchObject({ outcomes: { accepted: 99, declined: 1 } });
  });

  test('the plan expires while parts wait: they are declined, and no other row is', async () => {
    const { queue, parts } = partsOf(declining([40]));
    await rig.submit(await plan(), parts);
    await rig.submit(queue.shift() as SubmitMessage, parts);
    const expired = { read: async () => undefined, readMany: async () => () => undefined };
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await rig.submit(next, { ...parts, plans: double(expired) });
    expect(await progress()).toMatchObject({ outcomes: { accepted: 10, declined: 90 } });
    expect((await resultsOf())(101)?.message).toContain('the plan of this import has expired');
  });

  test('a part takes over the corrected rows of the request that was divided, and no other import does', async () => {
    const of = 'root';
    const claimed = lines.slice(0, 20);
    const planOf = (id: string) =>
      planRequest(rig, { importId: id, operation: 'send-sms', head, rows: rowsOf(claimed, of) });
    const { queue, parts } = partsOf(declining([5]));
    await rig.submit(await planOf('one'), parts);
    const other = service();
    await deliver([await planOf('other')], other);
    expect(other.accepted).toEqual([]);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await rig.submit(next, parts);
    const resultOf = await resultsOf('one');
    expect(claimed.filter((line) => resultOf(line)?.outcome === 'accepted')).toEqual(
      claimed.filter((line) => line !== 5),
    );
    // The declined row may be sent again.
    const { queue: third, parts: later } = partsOf(service());
    await rig.submit(await planOf('third'), later);
    expect(third).toEqual([]);
    expect((await resultsOf('third'))(5)?.outcome).toBe('accepted');
  });

  test('a conflict that may answer a repeated call is not believed, also of a part', async () => {
    const sims = { networkNumber: 101, tariffNumber: 2001, boltOns: [], provisioningOrderNumber: 5001 };
    const there = service(() => {
      throw new Conflict({ message: 'on hire', fieldErrors: [], msisdns: [] }, { call: 'POST /api', status: 409 });
    });
    const rows = rowsOf(lines.slice(0, 20));
    const message = await planRequest(rig, { importId, operation: 'provision', head: sims, rows });
    await deliver([message], there);
    expect((await all()).map(({ state }) => state)).toEqual(['unknown']);
  });
});
