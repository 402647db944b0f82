// The service's list of ports as its callers see it: among the ports of others, page by page, and now and then it changes
// while it is being read, or lies (fault 44).
import type { Dice } from './dice.ts';

/**
 * shrinks, grows: ports go or come between two pages, so that others are skipped or shown twice. repeats: a page is
 * answered again instead of the next. wrong-total: nothing that is said of the length is true. endless: there is always a
 * next page. turns-over: as many ports come at its end as go in front, so that its length tells nothing. emptied: its pages, or all but the first, are answered without a port, and so they are to whoever begins again.
 */
export type ListFate = 'steady' | (typeof listFates)[number];
export const listFates = ['shrinks', 'grows', 'repeats', 'wrong-total', 'endless', 'turns-over', 'emptied'] as const;

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

/** Two scans, each of which goes back to the first page once it has missed something. */
const emptiedReadings = 4;

export function createPortList({ dice, strangers, fate }: PortListOptions): PortList {
  const others = Array.from({ length: strangers }, () => strangerOf(dice.uuid()));
  // So that the end of a page is among our own.
  const before = Math.min(strangers, dice.between(47, 50));
  const newcomers = Array.from({ length: 2 }, () => strangerOf(dice.uuid()));
  let standing: ListFate = 'steady';
  let readingsLeft = 0;
  let emptyFrom = 1;

  const begin = (): void => {
    if (readingsLeft > 0) {
      readingsLeft -= 1;
      return;
    }
    // What hides a port from a scan must not hide it from the next, where the list does not tell that something is missing:
    // two scans are what is promised to be enough.
    standing = standing === 'steady' ? fate() : 'steady';
    if (standing === 'emptied') [readingsLeft, emptyFrom] = [emptiedReadings - 1, dice.between(1, 2)];
  };

  return (own, page, size) => {
    if (page === 1) begin();
    const all = [...others.slice(0, before), ...own, ...others.slice(before)];
    const pages = Math.ceil(all.length / size);
    const shown = (number: number, shift = 0) =>
      all.slice(Math.max(0, (number - 1) * size + shift), number * size + shift);
    const whole = { total: all.length, totalPages: pages };
    if (page === 1 && hasFirstPage(standing)) return { ...whole, data: shown(1) };
    switch (standing) {
      case 'shrinks':
        return { ...whole, data: shown(page, dice.between(1, 3)) };
      case 'turns-over':
        return { ...whole, data: [...all, ...newcomers].slice((page - 1) * size + newcomers.length).slice(0, size) };
      case 'emptied':
        return { ...whole, data: page < emptyFrom ? shown(page) : [] };
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

/** Those that change what comes behind the first page. */
const hasFirstPage = (fate: ListFate): boolean => !['wrong-total', 'endless', 'emptied'].includes(fate);

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
