// The places in the stage's line of calls that one environment has in hand, and how many it takes the next time.

export interface Places {
  /** When the next call may be made, epoch milliseconds; undefined where none is in hand. */
  next(now: number): number | undefined;
  use(): void;
  /** How many to take: as many as were needed last time, doubled as long as they are used up. */
  wanted(): number;
  give(first: number, count: number, intervalMs: number): void;
  drop(): void;
}

/** A place that was not used by then is given up: an environment that was frozen must not make many calls at once. */
const lastsMs = 1_000;
const firstWanted = 2;
const mostWanted = 20;

/** At most half a second's calls at a time: so soon every environment hears of a pause or an outage. */
export function createPlaces(callsPerSecond: number): Places {
  const most = Math.max(1, Math.min(mostWanted, Math.floor(callsPerSecond / 2)));
  let inHand: number[] = [];
  let given = 0;
  let used = 0;
  let usual = firstWanted;

  return {
    next: (now) => {
      inHand = inHand.filter((place) => place + lastsMs >= now);
      return inHand[0];
    },
    use: () => {
      inHand.shift();
      used += 1;
    },
    wanted: () => {
      if (given > 0) usual = used === given ? given * 2 : used;
      [given, used] = [0, 0];
      return Math.max(1, Math.min(most, usual));
    },
    give: (first, count, intervalMs) => {
      inHand = Array.from({ length: count }, (_, index) => first + index * intervalMs);
      given = count;
    },
    drop: () => {
      inHand = [];
    },
  };
}
