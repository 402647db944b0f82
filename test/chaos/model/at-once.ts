// What people do at the same moment: one moves the ports of a file with its parts, another stops, ends or undoes it.
import fc from 'fast-check';
import type { ImportItem } from '#shared/import/import.ts';
import { cancellationCsv, readCancellableRows } from '#shared/results/numbers.ts';
import { readFirst } from '#shared/results/parts.ts';
import { isoTime } from '#shared/text/wording.ts';
import { notify, put } from '../drive.ts';
import { queueUrl } from '../pipeline.ts';
import { readerOn } from '../surfaces.ts';
import { ledgerOf } from '../true-rows.ts';
import type { World } from '../world.ts';
import { command } from './happening.ts';
import { farDate } from './people.ts';

function withOpenPorts(world: World): ImportItem[] {
  const { imports, requests } = ledgerOf(world);
  const open = requests.filter(({ portId, endedAt }) => portId !== undefined && endedAt === undefined);
  return imports.filter(({ importId }) => open.some((request) => request.importId === importId));
}

/** By then both commands were handled, and `undo` reads what it cancels. */
const handledMs = 10_000;

async function undo(importId: string, name: string, world: World): Promise<void> {
  const item = ledgerOf(world).imports.find((each) => each.importId === importId) as ImportItem;
  const { rows } = await readCancellableRows(readerOn(world), item);
  const text = cancellationCsv(await readFirst(readerOn(world).imports, item), rows);
  if (rows.length > 0) notify(await put(`cancel-port/${name}.csv`, text, world), 0, world);
}

export const moveAndStop = fc
  .record({
    place: fc.nat(9),
    date: fc.constantFrom('2026-07-20', '2026-07-21', 'auto', farDate),
    what: fc.constantFrom('stopped', 'stopped', 'ended', 'undone', 'resumed'),
    /** The move is planned, released and prepared within some seconds. */
    afterMs: fc.integer({ min: -4_000, max: 4_000 }),
  })
  .map(({ place, date, what, afterMs }) =>
    command({
      name: `import ${place} is ${what} ${afterMs} ms after its ports are moved to ${date}`,
      does: async ({ steps }, { world, pass }) => {
        const movable = withOpenPorts(world);
        const item = movable[place % Math.max(1, movable.length)];
        if (item === undefined) return;
        const { queue, timeline } = world;
        const { importId } = item;
        const move = { reschedule: importId, date, ask: `step ${steps}`, by: 'Sam' };
        queue.add(queueUrl('command'), move, Math.max(0, -afterMs));
        const which = what === 'resumed' ? { resume: importId } : { stop: importId, end: what !== 'stopped' };
        const at = isoTime(timeline.now() + Math.max(0, afterMs));
        queue.add(queueUrl('command'), { ...which, at, by: 'Olga' }, Math.max(0, afterMs));
        await pass(handledMs);
        if (what === 'undone') await undo(importId, `undo-${steps}`, world);
      },
    }),
  );
