// Commands of people who tidy up: they archive imports and list them again, and dismiss rows that nobody will fix.
import fc from 'fast-check';
import type { ImportItem } from '#shared/import/import.ts';
import { archivables, findArchiveProblem, markOf, rowsSoFar, timeOfCommand } from '#shared/import/import-state.ts';
import { queueUrl } from '../pipeline.ts';
import type { World } from '../world.ts';
import { command } from './happening.ts';

const importsIn = ({ table }: World): ImportItem[] =>
  table.items().filter(({ sk }) => sk === 'import') as unknown as ImportItem[];

/**
 * What has ended, of a part or of a first import. On a page that is a while old it may be under way again, because a
 * correction or a move was sent meanwhile.
 */
export const putAway = fc
  .record({ place: fc.nat(9), what: fc.constantFrom('import' as const, ...archivables), isOfOldPage: fc.boolean() })
  .map(({ place, what, isOfOldPage }) =>
    command({
      name: `${what} ${place} is put away${isOfOldPage ? ', as it was earlier' : ''}`,
      does: (_, { world }) => {
        const isShown = (item: ImportItem) => isOfOldPage || findArchiveProblem(item, 'archived') === undefined;
        const imports = importsIn(world).filter((item) => what !== 'import' || isShown(item));
        const item = imports[place % Math.max(1, imports.length)];
        if (item === undefined) return;
        const rows = what === 'import' ? {} : { rows: rowsSoFar(item, what) };
        const at = timeOfCommand(world.timeline.now(), markOf(item, what));
        world.queue.add(queueUrl('command'), { archive: item.importId, what, ...rows, at, by: 'Sam' });
      },
    }),
  );

export const listAgain = fc.nat(9).map((place) =>
  command({
    name: `archived import ${place} is listed again`,
    does: (_, { world }) => {
      const archived = importsIn(world).filter((item) => findArchiveProblem(item, 'restored') === undefined);
      const item = archived[place % Math.max(1, archived.length)];
      if (item === undefined) return;
      const at = timeOfCommand(world.timeline.now(), item.archived);
      world.queue.add(queueUrl('command'), { archive: item.importId, what: 'import', isUndone: true, at, by: 'Sam' });
    },
  }),
);
