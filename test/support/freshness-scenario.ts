// A day or more of sync over simulated ports. When a port is read again, which calls a run makes and the order of the
// pages are decided by the code of sync; reads, writes and the clock are simulated.
import { addDays, type CalendarDate, instantOf } from '#shared/domain/dates/calendar-date.ts';
import { nextCall, pageAfter, pageSize, secondPage } from '#shared/domain/ports/call-plan.ts';
import { nextPoll } from '#shared/domain/ports/poll-schedule.ts';
import { changeStatuses, longestLifeMs, type SimulatedPorts, simulatePorts, zone } from './simulated-ports.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** As in infra/environments.ts: how often sync runs, and how long at most. */
const runEvery = 5 * minute;
const runTakes = 4 * minute;
/** As `runLimit` of functions/sync/entry.ts. */
const mostDue = 100_000;
/** A Monday. */
const firstDay = '2026-07-06' as CalendarDate;
const longestMeasuredDays = 10;

export interface FreshnessScenarioOptions {
  /** Ports that live at any time, about. */
  readonly ports: number;
  /** What the service allows; nothing but sync calls it. */
  readonly callsPerSecond: number;
}

export interface FreshnessRun {
  readonly calls: number;
  readonly livePorts: number;
  /** Milliseconds from each change to this status to the read that saw it. */
  delays(status: (typeof changeStatuses)[number]): readonly number[];
}

export interface FreshnessScenario {
  /** Every run of sync in so many days. The next call continues after them. */
  run(days: number): FreshnessRun;
}

/** What sync knows of the ports: their last status that was seen, and when they are read again. */
interface Known {
  readonly ports: SimulatedPorts;
  /** How many changes of each port were seen. */
  readonly seen: Uint8Array;
  readonly seenAt: Float64Array;
  /** Infinite for a port that has ended. */
  readonly dueAt: Float64Array;
  readonly delays: Map<string, number[]>;
}

export function createFreshnessScenario({ ports: live, callsPerSecond }: FreshnessScenarioOptions): FreshnessScenario {
  const first = addDays(firstDay, -Math.ceil(longestLifeMs / day));
  const known = knownAtStart(simulatePorts(live, first, addDays(firstDay, longestMeasuredDays)));
  let now = instantOf(firstDay, 0, zone);
  const run = (days: number): FreshnessRun => {
    known.delays.clear();
    const end = now + days * day;
    let calls = 0;
    for (; now < end; now += runEvery) calls += runSync(known, now, callsPerSecond);
    const livePorts = known.dueAt.subarray(0, listedPorts(known, now)).filter(Number.isFinite).length;
    return { calls, livePorts, delays: (status) => known.delays.get(status) ?? [] };
  };
  return { run };
}

/** Every port was read at some time within its present interval. */
function knownAtStart(ports: SimulatedPorts): Known {
  const { count } = ports;
  const known: Known = {
    ports,
    seen: new Uint8Array(count),
    seenAt: new Float64Array(count),
    dueAt: new Float64Array(count),
    delays: new Map(),
  };
  const start = instantOf(firstDay, 0, zone);
  for (let port = 0; port < count; port += 1) {
    const isNew = ports.createdAt(port) > start;
    const made = isNew ? 0 : ports.changesBy(port, start);
    known.seen[port] = made;
    known.seenAt[port] = made === 0 ? ports.createdAt(port) : ports.changeAt(port, made - 1);
    const due = nextRead(known, port, Math.max(start, ports.createdAt(port)));
    known.dueAt[port] = isNew ? due : start + (due - start) * ((port % 997) / 997);
  }
  return known;
}

function nextRead({ ports, seen, seenAt }: Known, port: number, now: number): number {
  const statusName = changeStatuses[(seen[port] ?? 0) - 1] ?? 'Created';
  const read = { statusName, connectionDate: ports.date(port), now, lastChange: seenAt[port] ?? now, zone };
  return nextPoll(read) ?? Number.POSITIVE_INFINITY;
}

/** The list shows every port that was created by now, also those that have ended. */
function listedPorts({ ports }: Known, now: number): number {
  let [from, to] = [0, ports.count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ports.createdAt(middle) <= now) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** One run of sync. */
interface Round {
  readonly known: Known;
  /** Ports that the list shows. */
  readonly listed: number;
  /** Ports that are known to be due, and were not read yet. */
  readonly waiting: Set<number>;
  /** Pages that were read, and the due ports that they showed, if more are due than a run loads. */
  readonly sample: { pages: number; ports: number } | undefined;
  readonly begun: number;
  readonly mostCalls: number;
  calls: number;
  /** Counts a call. Returns when it is answered. */
  call(): number;
}

/** As `pollPorts` of functions/sync/follow. Returns how many calls it made. */
function runSync(known: Known, begun: number, callsPerSecond: number): number {
  const listed = listedPorts(known, begun);
  const waiting = longestDue(known, listed, begun);
  const round: Round = {
    known,
    listed,
    begun,
    waiting,
    calls: 0,
    sample: waiting.size < mostDue ? undefined : { pages: 0, ports: 0 },
    mostCalls: Math.floor((runTakes / 1000) * callsPerSecond),
    call: () => {
      round.calls += 1;
      return begun + (round.calls * 1000) / callsPerSecond;
    },
  };
  let pagesLeft: number | undefined;
  let page = 1;
  const total = Math.ceil(listed / pageSize);
  for (let read = 1; isNextCallPage(round, pagesLeft); read += 1) {
    readPage(round, page);
    pagesLeft = Math.max(0, total - read);
    page = page === 1 ? secondPage(total, begun) : pageAfter(page, total);
  }
  for (const port of [...round.waiting].sort(byDueTime(known))) readDetail(round, port);
  return round.calls;
}

const isNextCallPage = ({ waiting, sample, calls, mostCalls }: Round, pagesLeft: number | undefined): boolean =>
  calls < mostCalls && nextCall({ remaining: waiting.size, pagesLeft, sample }) === 'page';

function readPage(round: Round, page: number): void {
  const { known, listed, waiting, sample, begun } = round;
  const at = round.call();
  if (sample !== undefined) sample.pages += 1;
  for (let port = (page - 1) * pageSize; port < Math.min(page * pageSize, listed); port += 1) {
    const isDue = sample === undefined ? waiting.has(port) : (known.dueAt[port] ?? 0) <= begun;
    if (!isDue) continue;
    if (sample !== undefined) sample.ports += 1;
    if (known.ports.changesBy(port, at) === known.seen[port]) {
      known.dueAt[port] = nextRead(known, port, at);
      waiting.delete(port);
    } else readDetail(round, port);
  }
}

function readDetail(round: Round, port: number): void {
  if (round.calls >= round.mostCalls) return;
  observe(round.known, port, round.call());
  round.waiting.delete(port);
}

/** The ports that are due, or those of them that have been due longest. */
function longestDue({ dueAt }: Known, listed: number, now: number): Set<number> {
  const due: number[] = [];
  for (let port = 0; port < listed; port += 1) if ((dueAt[port] ?? now) <= now) due.push(port);
  if (due.length <= mostDue) return new Set(due);
  const last = Float64Array.from(due, (port) => dueAt[port] ?? 0).sort()[mostDue - 1] ?? 0;
  return new Set(due.filter((port) => (dueAt[port] ?? 0) <= last).slice(0, mostDue));
}

const byDueTime =
  ({ dueAt }: Known) =>
  (one: number, other: number): number =>
    (dueAt[one] ?? 0) - (dueAt[other] ?? 0);

/** The detail of a port shows its status at this time. */
function observe(known: Known, port: number, at: number): void {
  const { ports, seen, seenAt, dueAt, delays } = known;
  const made = ports.changesBy(port, at);
  const before = seen[port] ?? 0;
  for (let change = before; change < made; change += 1) {
    const status = changeStatuses[change] as string;
    const ofStatus = delays.get(status) ?? [];
    ofStatus.push(at - ports.changeAt(port, change));
    delays.set(status, ofStatus);
  }
  if (made !== before) seenAt[port] = at;
  seen[port] = made;
  dueAt[port] = nextRead(known, port, at);
}
