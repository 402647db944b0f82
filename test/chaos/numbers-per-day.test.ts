// The limit of numbers a day, where a file is sent long after it was planned.
import { expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { isoTime } from '#shared/text/wording.ts';
import { createDice } from './dice.ts';
import { follow, notify, put, settle, stepTo } from './drive.ts';
import { noFaults } from './faults.ts';
import { queueUrl } from './pipeline.ts';
import { csvTextOf, validRows } from './scenario.ts';
import { createWorld } from './world.ts';

const start = Date.parse('2026-07-06T09:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;

const openWorld = () =>
  createWorld({
    seed: 1,
    dice: createDice(1),
    start,
    takesTwice: false,
    sabotage: undefined,
    count: () => {},
    faults: () => noFaults,
  });

test.each(['is approved', 'is resumed'])(
  'no day has more numbers than allowed where a plan %s a week late',
  async (how) => {
    const world = openWorld();
    const item = () => world.table.items().find(({ sk }) => sk === 'import') as unknown as ImportItem;
    const command = (body: object) => world.queue.add(queueUrl('command'), { by: 'Sam', ...body });
    const key = `${how === 'is approved' ? 'plan/' : ''}create-port/file.csv`;
    notify(await put(key, csvTextOf(validRows(0, 8)), world, { 'per-day': '2' }), 0, world);
    await stepTo(start + 800, world);
    if (how === 'is resumed') command({ stop: item().importId, at: isoTime(world.timeline.now()) });
    await settle(world);
    expect(world.network.ports()).toEqual([]);

    await stepTo(start + 7 * day, world);
    const { importId, planHash } = item();
    if (how === 'is approved') command({ approve: importId, plan: planHash });
    else command({ resume: importId, at: isoTime(world.timeline.now()) });
    await follow(world.timeline.now() + 120 * minute, world);
    await settle(world);

    const rowsByDay: Record<string, number> = {};
    for (const { connectionDate, rows } of world.network.ports()) {
      const date = connectionDate.slice(0, 10);
      rowsByDay[date] = (rowsByDay[date] ?? 0) + rows.length;
    }
    expect(rowsByDay).toEqual({ '2026-07-14': 2, '2026-07-15': 2, '2026-07-16': 2, '2026-07-17': 2 });
  },
);
