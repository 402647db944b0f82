// Two times. Wall time rules everything about processes and sockets: leases, quiet periods, back-off. Calendar time
// rules everything about ports: today, booking windows, the next poll, history. On AWS they are the same. On one
// machine the calendar can run faster, in step with the porting simulator's own clock.

/** Milliseconds since the epoch. */
export type Clock = () => number;

export interface Clocks {
  readonly wall: Clock;
  readonly calendar: Clock;
}

export const wallClock: Clock = () => Date.now();

/** Calendar time that started at `origin` (epoch milliseconds of wall time) and runs `speed` times as fast. */
export const acceleratedClock =
  (origin: number, speed: number): Clock =>
  () =>
    origin + (wallClock() - origin) * speed;
