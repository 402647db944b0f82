// What the references of a file begin with. `ORD123456` has the form of a PAC: it is recognised by its column, and by
// the letters that it shares with the references of other rows. Real PACs share their letters only within a network.
import { codeFamily } from '#shared/domain/numbers/pac.ts';

export interface Columns {
  readonly header: readonly string[];
  /** Canonical column name to the index of its cell. */
  readonly columnIndexes: Readonly<Record<string, number>>;
}

export interface References {
  /** What they begin with, in the form of `codeFamily`. */
  readonly families: ReadonlySet<string>;
  /** Most values of the column `reference` have the form of a PAC: one of another family is no reference. */
  readonly areKnown: boolean;
}

const named =
  /(?<![a-z])(?:account|asset|batch|booking|case|client|contract|customer|id|invoice|job|order|po|project|purchase|ref|reference|site|ticket)(?![a-z])/i;

/** In so many rows a reference may be in the column of PACs by mistake. */
const mostMixedUp = 0.2;

export function findReferences(
  { header, columnIndexes }: Columns,
  samples: readonly (readonly string[])[],
): References {
  const { pac = -1, portType = -1, reference = -1 } = columnIndexes;
  const read = new Set(Object.values(columnIndexes));
  // A row without its PAC may have it in the place of its reference.
  const needsNoCode = (cells: readonly string[]): boolean => pac < 0 || /^\W*migrat/i.test(cells[portType] ?? '');
  const rows = samples.filter((cells) => needsNoCode(cells) || /[A-Za-z]\W*\d/.test(cells[pac] ?? ''));
  const ofPacs = familyShares(samples, pac);
  const families = header.flatMap((title, index) => {
    const isNamed = index === reference || (!read.has(index) && named.test(title.replace(/([a-z])([A-Z])/g, '$1 $2')));
    const usual = isNamed ? [...familyShares(rows, index)].find(([, share]) => share > 0.5) : undefined;
    return usual === undefined || (ofPacs.get(usual[0]) ?? 0) > mostMixedUp ? [] : [usual[0]];
  });
  const shares = [...familyShares(samples, reference).values()];
  return { families: new Set(families), areKnown: shares.reduce((sum, share) => sum + share, 0) > 0.5 };
}

/** The families of the values of a column, and how many of its values have each. */
function familyShares(rows: readonly (readonly string[])[], index: number): ReadonlyMap<string, number> {
  const values = rows.map((cells) => cells[index] ?? '').filter((cell) => cell.trim() !== '');
  const shares = new Map<string, number>();
  for (const value of values) {
    const family = codeFamily(value);
    if (family !== undefined) shares.set(family, (shares.get(family) ?? 0) + 1 / values.length);
  }
  return shares;
}
