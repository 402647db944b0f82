// Cells as people write them: numbers with blanks, hyphens or a calling code, references with accents, commas and
// quotes, and a date on which the PAC expires.

const textShare = 0.1;
/** Days after 30 June 2026: a PAC is valid for 30 days, and the port date is 1 July. */
const expiryDays = 28;

/** A third as `07700900123`; the others as people write them. */
const notations: readonly ((national: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => text,
  (text) => `${text.slice(0, 5)} ${text.slice(5)}`,
  (text) => `${text.slice(0, 5)} ${text.slice(5)}`,
  (text) => `${text.slice(0, 5)} ${text.slice(5, 8)} ${text.slice(8)}`,
  (text) => `+44 ${text.slice(1, 5)} ${text.slice(5)}`,
  (text) => `+44${text.slice(1)}`,
  (text) => `0044${text.slice(1)}`,
  (text) => `${text.slice(0, 5)}-${text.slice(5)}`,
];

const texts: readonly ((order: string) => string)[] = [
  (order) => `${order}, Zoë Müller`,
  (order) => `${order} "urgent"`,
  (order) => `${order} für José`,
  (order) => `Société Générale, ${order}`,
];

/** Changes the cells of a row: its number is the first, its reference the last; the expiry of its PAC is added. */
export function realisticCells(random: () => number): (cells: string[]) => void {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  return (cells) => {
    cells[0] = pick(notations)(cells[0] ?? '');
    const last = cells.length - 1;
    if (random() < textShare) cells[last] = pick(texts)(cells[last] ?? '');
    cells.push(`2026-07-${String(1 + Math.floor(random() * expiryDays)).padStart(2, '0')}`);
  };
}
