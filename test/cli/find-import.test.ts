import { describe, expect, it } from 'vitest';
import { findImport, type KnownImports } from '#cli/find-import.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { someImport } from '../support/cli-imports.ts';

/** Imports as the table lists them: newest first. */
const known = (...items: ImportItem[]): KnownImports => ({
  resources: { account: 1001 },
  imports: {
    get: async (importId) => items.find((item) => item.importId === importId),
    list: async () => items,
  },
});

const newer = someImport({ importId: 'abcd000000000002' });
const older = someImport({ importId: 'abcd000000000001' });
const other = someImport({ importId: 'ffff000000000003', key: 'create-port/august.csv' });

describe('findImport', () => {
  it('finds by id', async () => {
    expect(await findImport(known(newer, older), older.importId)).toBe(older);
  });

  it.each(['ffff', 'FFFF0', 'august.csv', 'create-port/august.csv', './files/august.csv'])(
    'finds by %s',
    async (given) => {
      expect(await findImport(known(newer, older, other), given)).toBe(other);
    },
  );

  it('means the newest import of a file', async () => {
    expect(await findImport(known(newer, older), 'july.csv')).toBe(newer);
  });

  it('asks for more of an id that begins several', async () => {
    await expect(findImport(known(newer, older), 'abcd')).rejects.toMatchObject({
      message: '"abcd" begins 2 imports: abcd000000000002 (july.csv), abcd000000000001 (july.csv).',
      exitCode: 2,
    });
  });

  it('knows what was meant', async () => {
    await expect(findImport(known(other), 'agust.csv')).rejects.toMatchObject({ advice: 'Did you mean august.csv?' });
  });
});
