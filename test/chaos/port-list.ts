// The port list as callers receive it: page by page, with ports of other users of the account. It may change while it
// is read, or report a wrong length (fault 44).
import type { Dice } from './dice.ts';

/**
 * shrinks, grows: ports disappear or appear between two pages, so that others are skipped or repeated. repeats: a page
 * is repeated instead of the next. wrong-total: the reported length is wrong. endless: there is always a next page.
 * turns-over: as many ports appear at the end as disappear at the start, so the length does not change. emptied: its
 * pages, or all but the first, have no ports, also for the next scan. vanished: the same, and the reported length is 0.
 */
export type ListFate = 'steady' | (typeof listFates)[number];
export const listFates = [
  ...(['shrinks', 'grows', 'repeats', 'wrong-total', 'endless', 'turns-over', 'emptied', 'vanished'] as const),
] as const;

export interface PortListOptions {
  readonly dice: Dice;
  /** Ports of other users of the account. */
  readonly strangers: number;
  /** Called once per scan, at its first page. */
  readonly fate: () => ListFate;
  readonly habits: ListHabits;
}

/** What the list does at any time, whatever the faults are. */
export interface ListHabits {
  /** Where our ports are among the others: the newest first, in the middle, or the newest last. */
  readonly order: 'front' | 'middle' | 'end';
  /** Whether any two scans in a row may be disturbed. */
  readonly isRestless: boolean;
  /** Whether cancelled ports leave the list for ever. */
  readonly forgetsCancelled: boolean;
  /** Whether another port leaves the list for ever before the next page. */
  readonly removes: () => boolean;
}

export const calmHabits: ListHabits = {
  order: 'middle',
  isRestless: false,
  forgetsCancelled: false,
  removes: () => false,
};

export interface ListPage {
  readonly total: number;
  readonly totalPages: number;
  readonly data: readonly object[];
}

/** Returns a page, counted from 1, of a list with `own` (the newest first) among other ports. */
export type PortList = (own: readonly ListedPort[], page: number, size: number) => ListPage;

interface ListedPort {
  readonly statusName: string;
}

/** Two scans, each of which returns to the first page after a gap. */
const emptiedReadings = 4;

export function createPortList({ dice, strangers, fate, habits }: PortListOptions): PortList {
  const others = Array.from({ length: strangers }, () => strangerOf(dice.uuid()));
  // So that the end of a page is among our ports.
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
    // A list that turns over may do so in every scan. Of the others, only one of two scans may miss a port.
    standing = habits.isRestless || standing === 'steady' || standing === 'turns-over' ? fate() : 'steady';
    if (standing === 'emptied') [readingsLeft, emptyFrom] = [emptiedReadings - 1, dice.between(1, 2)];
    if (standing === 'vanished') readingsLeft = emptiedReadings - 1;
  };

  const arrange = (own: readonly ListedPort[]): readonly object[] => {
    const kept = habits.forgetsCancelled ? own.filter(({ statusName }) => statusName !== 'Cancelled') : own;
    if (habits.order === 'front') return [...kept, ...others];
    if (habits.order === 'end') return [...others, ...kept.toReversed()];
    return [...others.slice(0, before), ...kept, ...others.slice(before)];
  };

  return (own, page, size) => {
    if (page === 1) begin();
    if (others.length > 0 && habits.removes()) others.splice(dice.between(0, others.length - 1), 1);
    const all = arrange(own);
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
      case 'vanished':
        return { total: 0, totalPages: 0, data: [] };
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

/** Fates that change the pages after the first. */
const hasFirstPage = (fate: ListFate): boolean => !['wrong-total', 'endless', 'emptied', 'vanished'].includes(fate);

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
