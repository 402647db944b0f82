// The refresh throttle of report without the notifications of sync, which never runs here. The delayed message reports
// later changes, wherever report crashes.
import { describe, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { createDice } from './dice.ts';
import { drop, settle } from './drive.ts';
import { swept } from './fault-runs.ts';
import { type AwsFate, awsFates, type Faults, noFaults } from './faults.ts';
import { buckets, deadLetterUrl } from './pipeline.ts';
import { validRows } from './scenario.ts';
import { createWorld, type World } from './world.ts';

const start = Date.parse('2026-07-06T09:00:00Z');
const restMs = 5_000;
/** The duration of a refresh, the rounding of a delay to seconds, and the difference between clocks. */
const slackMs = 4_000;

interface Told {
  readonly item: ImportItem;
  readonly requests: readonly RequestItem[];
}

/** Three rows are a request here. */
async function dropRequests(count: number, world: World): Promise<void> {
  await drop('create-port/large.csv', validRows(0, 3 * count), world);
}

const openWorld = (faults: Faults = noFaults): World =>
  createWorld({
    seed: 1,
    dice: createDice(1),
    start,
    restMs,
    takesTwice: true,
    sabotage: undefined,
    faults: () => faults,
    count: () => {},
  });

function look({ table }: World): Told {
  const items = table.items();
  const requests = items.filter(({ sk }) => String(sk).startsWith('request#')) as unknown as RequestItem[];
  return { item: items.find(({ sk }) => sk === 'import') as unknown as ImportItem, requests };
}

const revisions = (requests: readonly RequestItem[]): number =>
  requests.reduce((sum, { revision = 0 }) => sum + revision, 0);

const looksOf = ({ heard }: World): number => heard.spoken.filter((text) => text.includes('"ledgerRevision"')).length;
const putOffs = ({ heard }: World): number => heard.spoken.filter((text) => text.includes('"putOffTo"')).length;

test('ninety requests are reported every few seconds, with one refresh per period, and the last of them in time', async () => {
  const world = openWorld();
  await dropRequests(90, world);
  const course: { readonly at: number; readonly ledger: number }[] = [];
  let released = start;
  while (await world.timeline.step(start + 600_000)) {
    const { item, requests } = look(world);
    const at = world.timeline.now();
    course.push({ at, ledger: revisions(requests) });
    if (item?.state !== 'submitting' && item?.state !== 'in-progress') released = at;
    const before = course.findLast((then) => then.at <= at - restMs - slackMs && then.at > released);
    if (before !== undefined) expect(item.ledgerRevision ?? 0).toBeGreaterThanOrEqual(before.ledger);
  }
  const { item, requests } = look(world);
  expect(item).toMatchObject({ state: 'in-progress', requests: { created: 90 }, ledgerRevision: revisions(requests) });
  const lasted = Date.parse(item.changedAt) - released;
  expect(lasted).toBeGreaterThan(3 * restMs);
  // Two environments may begin at the same time: then one of them refreshes again.
  expect(looksOf(world)).toBeLessThanOrEqual(Math.ceil(lasted / restMs) + 2);
  // Two environments may send a message each, and one more at the end of a period.
  expect(putOffs(world)).toBeLessThanOrEqual(4 * Math.ceil(lasted / restMs));
});

describe('requests of two batches of submit, at every effect of report', () => {
  /** One effect of report has this fault, the others none. */
  function faultsOfReport(place: number, fate: AwsFate) {
    const effects: string[] = [];
    const aws = (_: string, what: () => string): AwsFate => {
      if (!what().startsWith('report ')) return 'done';
      effects.push(what());
      return effects.length === place ? fate : 'done';
    };
    return { effects, faults: { ...noFaults, aws } satisfies Faults };
  }

  async function run(place: number, fate: AwsFate) {
    const { effects, faults } = faultsOfReport(place, fate);
    const world = openWorld(faults);
    await dropRequests(6, world);
    await settle(world);
    return { effects, world };
  }

  test.each(awsFates.map((fate, index) => [fate, index] as const))(
    '%s: everything is reported, and nothing is dead-lettered',
    async (fate, index) => {
      const { effects } = await run(0, 'done');
      expect(effects).toContain('report SendMessageBatchCommand report');
      const places = effects.map((_, before) => before + 1);
      for (const place of fate === 'done' ? [0] : swept(places, index)) {
        const { world } = await run(place, fate);
        const where = `${fate} at ${effects[place - 1]}, ${place}`;
        const { item, requests } = look(world);
        expect({ where, state: item.state, requests: item.requests }).toEqual({
          where,
          state: 'in-progress',
          requests: { created: 6 },
        });
        expect({ where, told: item.ledgerRevision }).toEqual({ where, told: revisions(requests) });
        expect({ where, aside: world.queue.bodies(deadLetterUrl('report')) }).toEqual({ where, aside: [] });
        expect({ where, lines: linesOf(item, world) }).toEqual({ where, lines: 18 });
      }
    },
  );
});

/** Rows of results.csv that name a port. */
const linesOf = ({ importId }: ImportItem, { bucket }: World): number =>
  bucket
    .text(buckets.results, `imports/${importId}/results.csv`)
    .split('\n')
    .filter((line) => line.includes('in-progress')).length;
