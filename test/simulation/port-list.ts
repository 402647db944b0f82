// The service's list of ports as its callers see it: among the ports of others, page by page, and now and then it changes
// while it is being read, or lies (fault 44).
import type { Dice } from './dice.ts';

/**
 * shrinks, grows: ports go or come between two pages, so that others are skipped or shown twice. repeats: a page is
 * answered again instead of the next. wrong-total: nothing that is said of the length is true. endless: there is always a
 * next page.
 */
export type ListFate = 'steady' | (typeof listFates)[number];
export const listFates = ['shrinks', 'grows', 'repeats', 'wrong-total', 'endless'] as const;

export interface PortListOptions {
  readonly dice: Dice;
  /** Ports of other people in the same account. */
  readonly strangers: number;
  /** Asked once per scan, at its first page. */
  readonly fate: () => ListFate;
}

export interface ListPage {
  readonly total: number;
  readonly totalPages: number;
  readonly data: readonly object[];
}

/** Answers a page, counted from 1, of a list that has `own` somewhere in its middle. */
export type PortList = (own: readonly object[], page: number, size: number) => ListPage;

export function createPortList({ dice, strangers, fate }: PortListOptions): PortList {
  const others = Array.from({ length: strangers }, () => strangerOf(dice.uuid()));
  // So that the end of a page is among our own.
  const before = Math.min(strangers, dice.between(47, 50));
  let standing: ListFate = 'steady';

  return (own, page, size) => {
    // What hides a port from a scan must not hide it from the next: two scans are what is promised to be enough.
    if (page === 1) standing = standing === 'steady' ? fate() : 'steady';
    const all = [...others.slice(0, before), ...own, ...others.slice(before)];
    const pages = Math.ceil(all.length / size);
    const shown = (number: number, shift = 0) =>
      all.slice(Math.max(0, (number - 1) * size + shift), number * size + shift);
    const whole = { total: all.length, totalPages: pages };
    if (page === 1 && standing !== 'wrong-total' && standing !== 'endless') return { ...whole, data: shown(1) };
    switch (standing) {
      case 'shrinks':
        return { ...whole, data: shown(page, dice.between(1, 3)) };
      case 'grows':
        return { ...whole, data: shown(page, -dice.between(1, 3)) };
      case 'repeats':
        return { ...whole, data: shown(page - 1) };
      case 'wrong-total':
        return { total: dice.between(0, 200), totalPages: dice.between(0, 5), data: shown(page) };
      case 'endless':
        return { total: all.length + size, totalPages: page + 1, data: shown(Math.min(page, pages)) };
      default:
        return { ...whole, data: shown(page) };
    }
  };
}

const strangerOf = (id: string): object => ({
  id,
  name: 'somebody else',
  connectionDate: '2026-07-20T00:00:00',
  portType: 1,
  portTypeName: 'Port',
  rowCount: 1,
  status: 5,
  statusName: 'Submitted',
});
