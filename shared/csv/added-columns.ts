// Names of columns in files that combine the columns of the user with ours: no two columns of a file have one name.

const prefix = 'simporter';

const folded = (name: string): string => name.trim().toLowerCase();

/** `line`, or `simporterLine` where a column of the user has that name already. */
export const prefixed = (name: string): string => `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** The name of each of our columns behind those of the user. */
export function addedColumns(own: readonly string[], names: readonly string[]): string[] {
  const taken = new Set(own.map(folded));
  return names.map((name) => {
    if (!taken.has(folded(name))) return name;
    let other = prefixed(name);
    for (let copy = 2; taken.has(folded(other)); copy += 1) other = `${prefixed(name)}${copy}`;
    return other;
  });
}

/**
 * The columns of the user. A name that an earlier column has is written with its number: `note`, `note (2)`. Numbers
 * are never tried twice, because a header may have one name in all its columns.
 */
export function distinctNames(own: readonly string[]): string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return own.map((name, index) => {
    const key = folded(name);
    let number = next.get(key) ?? 2;
    if (key === '') number = Math.max(number, index + 1);
    let distinct = name;
    for (; taken.has(folded(distinct)); number += 1) {
      distinct = key === '' ? `column ${number}` : `${name.trim()} (${number})`;
    }
    next.set(key, number);
    taken.add(folded(distinct));
    return distinct;
  });
}
