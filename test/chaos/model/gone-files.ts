// Uploads that are gone: they expire while the ports of their imports go on, and people correct and move them.
import fc from 'fast-check';
import { isReleased } from '#shared/import/import-state.ts';
import { importOf } from '../outcome.ts';
import { buckets } from '../pipeline.ts';
import { command } from './happening.ts';

/** With every version of it: one that no import has read would never be read. */
export const expire = fc.nat(9).map((place) =>
  command({
    name: `the upload of file ${place} expires`,
    when: ({ files }) => files.length > 0,
    does: ({ files }, { world }) => {
      const key = files[place % files.length]?.key ?? '';
      const items = world.table.items();
      const imports = files.flatMap(({ dropped }) => (dropped?.key === key ? [importOf(dropped, { items })] : []));
      if (imports.every((item) => item !== undefined && isReleased(item))) world.bucket.expire(buckets.inbox, key);
    },
  }),
);
