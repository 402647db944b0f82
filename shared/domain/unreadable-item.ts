// Something that we wrote and cannot read back: another version did, or a hand. Whatever stands beside it goes on without it.

/** `place` names it for people: its key in the table, or its place in a file; never a phone number. */
export class UnreadableItem extends Error {
  override readonly name: string = 'UnreadableItem';
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.place = place;
  }
}

/** It was not even taken by the table: too large, or not what an item may be. */
export class UnwritableItem extends UnreadableItem {
  override readonly name = 'UnwritableItem';
}

/** Hears of an item that is left out of an answer. */
export type OnUnreadable = (item: UnreadableItem) => void;
