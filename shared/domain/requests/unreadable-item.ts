// A stored item that cannot be read: another version wrote it, or a person edited it. Other items are still processed.

/** `place` is its key in the table or its place in a file; never a phone number. */
export class UnreadableItem extends Error {
  override readonly name: string = 'UnreadableItem';
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.place = place;
  }
}

/** An item that the table does not accept, for example because it is too large. */
export class UnwritableItem extends UnreadableItem {
  override readonly name = 'UnwritableItem';
}

/** Gets an item that is left out of a result. */
export type OnUnreadable = (item: UnreadableItem) => void;
