// Failures that AWS may have and the embedded services never have. The in-memory doubles produce them on demand.
import { expect, test } from 'vitest';
import { createBackoff } from '#shared/store/backoff.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createQueues } from '#shared/store/queues.ts';
import { createRequests } from '#shared/store/requests.ts';
import { createQueueTwin } from '../../support/in-memory/queue.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';

const backoff = createBackoff(
  8,
  () => 0.5,
  async () => {},
);

/** True for every second call. */
const everyOther = () => {
  let asked = 0;
  return () => asked++ % 2 === 0;
};

export function worseThanEmbedded(): void {
  test('an index lags behind the table: due items are read from it, current values are not', async () => {
    let now = noon;
    const twin = createTableTwin({ now: () => now, indexLagMs: 3_000 }) as unknown as AwsClients['table'];
    const requests = createRequests(twin, 'results', backoff);
    const item = requestItemOf({ dueAt: iso(noon) });
    await requests.plan([item]);
    expect(await requests.lost('1001@service', iso(noon), 10)).toEqual([]);
    expect(await requests.get(item.importId, 1)).toMatchObject({ state: 'planned' });
    now += 3_000;
    const [due] = await requests.lost('1001@service', iso(noon), 10);
    expect(due).toMatchObject({ state: 'planned' });
    if (due === undefined) return;
    expect(await requests.replace(due, { ...due, state: 'declined', dueAt: undefined })).toBeDefined();
    expect(await requests.lost('1001@service', iso(noon), 10)).toMatchObject([{ state: 'planned' }]);
    expect(await requests.replace(due, due)).toBeUndefined();
    now += 3_000;
    expect(await requests.lost('1001@service', iso(noon), 10)).toEqual([]);
  });

  test('fault 50: a batch of writes or reads is accepted in part, and the remainder is sent again', async () => {
    const twin = createTableTwin({ now: () => noon, throttles: everyOther() });
    const numbers = createNumbers(twin as unknown as AwsClients['table'], 'results', backoff);
    const claims = Array.from({ length: 30 }, (_, index) => ({
      number: `4477009000${10 + index}`,
      importId: 'import-a',
      request: 1,
      line: index + 2,
      claimedAt: iso(noon),
      expiresAt: 1_850_000_000,
    }));
    expect(await numbers.claim(claims)).toEqual([]);
    expect(twin.items()).toHaveLength(30);
    const declined = await numbers.claim(claims.map((claim) => ({ ...claim, importId: 'import-b' })));
    expect(declined.map(({ importId }) => importId)).toEqual(claims.map(() => 'import-a'));
  });

  test('fault 25: a batch of messages is accepted in part, and each message arrives once', async () => {
    const url = 'https://sqs.example/work';
    const twin = createQueueTwin({ now: () => noon, queues: { [url]: { visibilityMs: 1 } }, throttles: everyOther() });
    const bodies = Array.from({ length: 25 }, (_, index) => ({ index }));
    await createQueues(twin as unknown as AwsClients['sqs'], backoff).send(url, bodies);
    expect(twin.bodies(url).sort()).toEqual(bodies.map((body) => JSON.stringify(body)).sort());
  });
}
