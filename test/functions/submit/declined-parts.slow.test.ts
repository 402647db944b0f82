// Every place at which a declined request and its parts can be interrupted: before and after each effect.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createRequests } from '#shared/store/requests.ts';
import { double } from '../../support/double.ts';
import { all, declining, deliver, lines, partsOf, plan, resultsOf } from '../../support/steps/divided-requests.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';

useFreshRig();

test('the answer of each write is lost once: every row is sent once, and nobody is asked (fault 58)', async () => {
  const rows = lines.slice(0, 12);
  let writes = Number.POSITIVE_INFINITY;
  for (let lostAt = 1; lostAt <= writes; lostAt += 1) {
    writes = 0;
    // As the SDK does it. It gives a transaction a token, by which DynamoDB recognises the repetition.
    const repeating = {
      send: async (command: Parameters<typeof services.table.send>[0]) => {
        if (!(command instanceof PutCommand)) return services.table.send(command);
        writes += 1;
        if (writes === lostAt) await services.table.send(command);
        return services.table.send(command);
      },
    };
    const there = declining([3]);
    const id = `sims-${lostAt}`;
    await deliver([await plan(rows, id)], there, { requests: createRequests(double(repeating), rig.table) });
    expect(there.accepted.flat().sort(), `write ${lostAt}`).toEqual(rows.filter((line) => line !== 3).sort());
    const resultOf = await resultsOf(id);
    expect(
      rows.filter((line) => resultOf(line)?.outcome !== 'accepted'),
      `write ${lostAt}`,
    ).toEqual([3]);
  }
  expect(writes).toBeGreaterThan(20);
});

test('a crash between any two effects sends no row twice, and loses none', async () => {
  const rows = lines.slice(0, 12);
  let points = Number.POSITIVE_INFINITY;
  let crashAt = 0;
  while (points >= crashAt) {
    crashAt += 1;
    const there = declining([3]);
    const id = `sims-${crashAt}`;
    const first = await plan(rows, id);
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
    const { queue, parts } = partsOf(there);
    const { requests } = rig.submitParts();
    const crash = {
      ...parts,
      requests: { ...requests, replace: crashing(requests.replace) },
      queues: { ...parts.queues, send: crashing(parts.queues.send) },
      client: { ...parts.client, submit: crashing(parts.client.submit) },
    };
    queue.push(first);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      // A message that failed is delivered again, after those that wait; a lost one is sent again by sync.
      if ((await rig.submit(next, crash).catch(() => 'died')) === 'died') queue.push(next);
      if (queue.length === 0) {
        const unsent = (await all(id)).filter(({ state }) => state === 'planned');
        queue.push(...unsent.map(({ request, plan }) => ({ importId: id, request, plan })));
      }
    }
    const sent = there.accepted.flat();
    expect(new Set(sent).size).toBe(sent.length);
    const resultOf = await resultsOf(id);
    const ends = rows.map((line) => [line, resultOf(line)?.outcome] as const);
    const lost = ends.filter(([line, end]) => {
      if (end === 'accepted') return !sent.includes(line);
      return line === 3 ? end !== 'declined' && end !== 'unknown' && end !== 'in-progress' : end === 'waiting';
    });
    expect(lost, `crash ${crashAt}`).toEqual([]);
  }
  // Before and after the record, the call, the answer and the messages of each call: at least 11 calls.
  expect(points).toBeGreaterThan(11 * 6);
});
