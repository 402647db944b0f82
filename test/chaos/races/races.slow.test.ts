// Two environments process the same thing at once. In any order of their effects, the result is that of one
// environment.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importItem } from '#shared/import/import.ts';
import { isArchived } from '#shared/import/import-state.ts';
import { cancelByHand } from '../drive.ts';
import { sweptRuns } from '../fault-runs.ts';
import { buckets } from '../pipeline.ts';
import { smallScenario } from '../scenario.ts';
import { createPort, deliver, type Race, runSync, serialQueue, startRace } from './race.ts';

/** `RACE_RUNS=…` tries more orders of each race, `RACE_SEED=…` repeats one. */
const numRuns = Number(process.env.RACE_RUNS ?? sweptRuns(15));
const seed = Number(process.env.RACE_SEED ?? 4_711);
const timeout = 60_000 + numRuns * 1_000;
const minute = 60_000;

/** One row, so that its import has one request. */
const rows = (smallScenario.uploads[0]?.rows ?? []).slice(0, 1);

/** Runs `race` in every order of effects that fast-check tries, and checks the result. */
const inAnyOrder = (race: (race: Race) => Promise<void>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat(1_000), async (turns, worldSeed) => {
      const started = startRace(turns, worldSeed);
      await race(started);
      expect(await started.end()).toEqual([]);
    }),
    { numRuns, seed },
  );

/** Ingests the file and returns the message of its only request. */
async function planned(race: Race): Promise<object> {
  await race.alone(deliver('ingest', await race.drop(rows)));
  const [message = {}] = race.take('submit');
  return message;
}

/** The rows of a number that a person cancelled wait for approval. */
async function approved(race: Race): Promise<object> {
  await race.alone(deliver('ingest', await race.drop(rows)));
  expect(race.take('submit')).toEqual([]);
  await race.alone(deliver('ingest', race.approval()));
  const [message = {}] = race.take('submit');
  return message;
}

/** The answer was a reset, before the quiet period. `fate` states whether the service created the port. */
async function unknownOutcome(race: Race, fate: 'reset' | 'error-before'): Promise<object> {
  const message = await planned(race);
  race.strikes.add({ fate, after: 0, effect: createPort });
  await race.alone(deliver('submit', message));
  pass(race, 10 * minute);
  return message;
}

const pass = ({ world: { timeline } }: Race, milliseconds: number) => timeline.moveTo(timeline.now() + milliseconds);

describe('submit against submit', { timeout }, () => {
  test('fault 28: the same message to three environments at once makes one call', () =>
    inAnyOrder(async (race) => {
      const message = await planned(race);
      const again = deliver('submit', message);
      await race.together(again, again, again);
      expect(race.creates()).toBe(1);
    }));

  test('fault 22: a number in two files at once is sent in one request only', () =>
    inAnyOrder(async (race) => {
      const messages = [await planned(race), await planned(race)];
      await race.together(...messages.map((message) => deliver('submit', message)));
      expect(race.creates()).toBe(1);
    }));
});

test('a number whose port was cancelled is claimed by one of two files at once', { timeout }, () =>
  inAnyOrder(async (race) => {
    await race.alone(deliver('submit', await planned(race)));
    await cancelByHand(0, race.world);
    pass(race, 24 * 60 * minute);
    await race.alone(runSync('a'));
    expect(race.world.network.ports()).toMatchObject([{ status: 'Cancelled' }]);
    const messages = [await approved(race), await approved(race)];
    await race.together(...messages.map((message) => deliver('submit', message)));
    expect(race.creates()).toBe(2);
  }),
);

describe('submit against sync', { timeout }, () => {
  test('a late message, while sync sends another one', () =>
    inAnyOrder(async (race) => {
      const message = await planned(race);
      pass(race, 20 * minute);
      await race.together(deliver('submit', message), runSync('a'));
      await race.together(...race.take('submit').map((other) => deliver('submit', other)), deliver('submit', message));
      expect(race.creates()).toBe(1);
    }));

  test('a message is delivered again while sync adopts the port of its call', () =>
    inAnyOrder(async (race) => {
      const message = await unknownOutcome(race, 'reset');
      await race.together(deliver('submit', message), runSync('a'), deliver('submit', message));
      expect(race.creates()).toBe(1);
    }));

  test('a message is delivered again while sync proves that no port was created', () =>
    inAnyOrder(async (race) => {
      const message = await unknownOutcome(race, 'error-before');
      await race.together(deliver('submit', message), runSync('a'), deliver('submit', message));
      await race.together(...race.take('submit').map((other) => deliver('submit', other)), deliver('submit', message));
      expect(race.creates()).toBe(2);
      expect(race.world.network.ports()).toHaveLength(1);
    }));

  test('fault 46: an answer arrives while sync adopts the port', () =>
    inAnyOrder(async (race) => {
      const message = await planned(race);
      await race.together(deliver('submit', message), async (pipeline) => {
        await race.made;
        pass(race, 10 * minute);
        await runSync('a')(pipeline);
      });
      expect(race.creates()).toBe(1);
    }));

  test('sync reads the new port while submit reads it back', () =>
    inAnyOrder(async (race) => {
      const message = await planned(race);
      await race.together(deliver('submit', message), runSync('a'), runSync('b'));
      expect(race.creates()).toBe(1);
    }));
});

test('fault 47: two sync runs at once search for a port once', { timeout }, () =>
  inAnyOrder(async (race) => {
    await unknownOutcome(race, 'error-before');
    await race.together(runSync('a'), runSync('b'));
    expect(race.take('submit')).toHaveLength(1);
  }),
);

describe('a sync run that was delayed until another one had read the port', { timeout }, () => {
  /** As many effects as a run has until its last read, and some more. */
  const effects = Array.from({ length: 20 }, (_, index) => index + 1);

  test.each(effects)('fault 47: overwrites nothing when it continues with effect %i', async (place) => {
    const race = startRace(serialQueue, place);
    await race.alone(deliver('submit', await planned(race)));
    pass(race, 120 * minute);
    await race.interrupted(place, runSync('a'), async (pipeline) => {
      pass(race, 10 * minute);
      await runSync('b')(pipeline);
    });
    expect(await race.end()).toEqual([]);
  });
});

test('fault 1: the same event to two environments at once is one import', { timeout }, () =>
  inAnyOrder(async (race) => {
    const event = await race.drop(rows);
    await race.together(deliver('ingest', event), deliver('ingest', event));
    await race.together(...race.take('submit').map((message) => deliver('submit', message)));
    expect(race.creates()).toBe(1);
  }),
);

describe('a plan that waits for approval', { timeout }, () => {
  const waiting = async (race: Race): Promise<object> => {
    const event = await race.drop(rows, 'plan/create-port');
    await race.alone(deliver('ingest', event));
    expect(race.take('submit')).toEqual([]);
    return event;
  };

  test('is approved twice at once, and released once', () =>
    inAnyOrder(async (race) => {
      await waiting(race);
      const approval = race.approval();
      await race.together(deliver('ingest', approval), deliver('ingest', approval));
      await race.together(...race.take('submit').map((message) => deliver('submit', message)));
      expect(race.creates()).toBe(1);
    }));

  test('is approved while its event is delivered again', () =>
    inAnyOrder(async (race) => {
      const event = await waiting(race);
      await race.together(deliver('ingest', race.approval()), deliver('ingest', event));
      await race.together(...race.take('submit').map((message) => deliver('submit', message)));
      expect(race.creates()).toBe(1);
    }));

  test('is approved while it is archived: it is sent and listed, or archived and not sent', () =>
    inAnyOrder(async (race) => {
      await waiting(race);
      const approval = race.approval();
      const archive = { archive: approval.approve, what: 'import', at: '2026-07-06T09:00:00.000Z' };
      await race.together(deliver('ingest', approval), deliver('ingest', archive));
      const messages = race.take('submit');
      const item = importItem.parse(race.world.table.items().find(({ sk }) => sk === 'import'));
      expect([messages.length > 0, isArchived(item)]).toEqual([item.state === 'submitting', item.state === 'planned']);
      if (messages.length === 0) {
        await race.alone(deliver('ingest', { ...archive, isUndone: true }));
        await race.alone(deliver('ingest', approval));
        messages.push(...race.take('submit'));
      }
      await race.together(...messages.map((message) => deliver('submit', message)));
      expect(race.creates()).toBe(1);
    }));
});

describe('report against report: the newest counts remain', { timeout }, () => {
  const isNewest = ({ world: { table, bucket, network } }: Race): void => {
    const item = table.items().find(({ sk }) => sk === 'import');
    expect(item?.requests).toEqual({ created: 1 });
    expect(bucket.text(buckets.results, `imports/${item?.importId}/results.csv`)).toContain(network.ports()[0]?.id);
  };

  test('while the ledger changes', () =>
    inAnyOrder(async (race) => {
      const message = await planned(race);
      const [told] = race.take('report');
      await race.together(deliver('report', told), async (pipeline) => {
        await deliver('submit', message)(pipeline);
        await Promise.all(race.take('report').map((next) => deliver('report', next)(pipeline)));
      });
      isNewest(race);
    }));

  /** As many effects as a report has, and some more. */
  const effects = Array.from({ length: 14 }, (_, index) => index + 1);

  test.each(effects)('when the ledger changes and is reported before effect %i of the older report', async (place) => {
    const race = startRace(serialQueue, place);
    const message = await planned(race);
    const [told] = race.take('report');
    await race.interrupted(place, deliver('report', told), async (pipeline) => {
      await deliver('submit', message)(pipeline);
      for (const next of race.take('report')) await deliver('report', next)(pipeline);
    });
    isNewest(race);
    expect(await race.end()).toEqual([]);
  });
});
