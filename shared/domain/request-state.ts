// The life of one request, as pure steps from item to item. Create Port is neither idempotent nor keyed, so these steps
// decide alone whether a call may be made: the tables and queues around them only carry the items.
import type { Decided, ReplacedPort, RequestError, RequestItem, RequestState, WithdrawnRow } from './ledger.ts';

/** A planned request whose message was not acted upon for this long (wall time) gets a new one. */
export const lostMessageMs = 15 * 60_000;

/** What one attempt was answered. Only the first three did something; `ambiguous` may have. */
export type Answer =
  | { readonly kind: 'created'; readonly portId: string }
  | { readonly kind: 'accepted'; readonly ticket: string }
  | { readonly kind: 'changed'; readonly portId: string }
  /** `named`: rows that the refusal names, each with its reason, where the others may be sent without them. */
  | { readonly kind: 'refused'; readonly error: RequestError; readonly named?: readonly WithdrawnRow[] }
  | { readonly kind: 'not-sent'; readonly error: RequestError }
  | { readonly kind: 'ambiguous'; readonly error: RequestError };

/** States in which the request is still on its way to the service. */
const unsentStates: readonly RequestState[] = ['planned', 'in-flight', 'unknown'];
export const isUnsent = (state: RequestState): boolean => unsentStates.includes(state);

/** The item with its revision counted up: as it stands in the ledger once `next` was written in the place of `seen`. */
export const withNextRevision = (seen: RequestItem, next: RequestItem): RequestItem => ({
  ...next,
  revision: (seen.revision ?? 0) + 1,
});

const at = (epochMs: number): string => new Date(epochMs).toISOString();

/**
 * Whether a message about this request may lead to a call. Only `planned` may: of every other state either the call is
 * being made, or its outcome is known, or reconcile must find it out first.
 */
export const maySend = (item: RequestItem): boolean => item.state === 'planned' && !isHeld(item);

/** It waits until the port in whose place it comes is cancelled: sent before, its numbers would stand in two live ports. */
export const isHeld = ({ state, replaces }: RequestItem): boolean =>
  state === 'planned' && replaces !== undefined && replaces.cancelledAt === undefined;

/** Written before the service is asked: a crash in between costs one more look, never a cancel that nobody knows of. */
export const cancelAsked = (item: RequestItem, replaces: ReplacedPort, calendarNow: number): RequestItem => ({
  ...item,
  replaces: { ...replaces, cancelAskedAt: at(calendarNow) },
  missingLooks: undefined,
});

/** The port was read back as cancelled: the request is in line like any other, and its message is on its way. */
export const freed = (item: RequestItem, replaces: ReplacedPort, now: number): RequestItem => ({
  ...item,
  replaces: { ...replaces, cancelledAt: at(now) },
  error: undefined,
  dueAt: at(now + lostMessageMs),
  changedAt: at(now),
});

export interface Intent {
  readonly lines: string;
  readonly withdrawn: readonly WithdrawnRow[];
  readonly note?: string | undefined;
  readonly holidays?: readonly string[] | undefined;
  /** Wall time, epoch ms. */
  readonly now: number;
  readonly leaseMs: number;
  readonly quietMs: number;
}

/** Written before the socket opens: attempt and lease. Once the lease is over and it was quiet for a while, reconcile looks. */
export function intended(item: RequestItem, intent: Intent): RequestItem {
  const leaseUntil = intent.now + intent.leaseMs;
  return {
    ...item,
    state: 'in-flight',
    attempt: item.attempt + 1,
    lines: intent.lines,
    withdrawn: intent.withdrawn.length === 0 ? undefined : [...intent.withdrawn],
    note: intent.note ?? item.note,
    holidays: intent.holidays && [...intent.holidays],
    error: undefined,
    leaseUntil: at(leaseUntil),
    dueAt: at(leaseUntil + intent.quietMs),
    changedAt: at(intent.now),
  };
}

/** No row is left to send: each was withdrawn. */
export const withdrawn = (item: RequestItem, rows: readonly WithdrawnRow[], now: number): RequestItem =>
  ended({ ...item, state: 'withdrawn', withdrawn: [...rows] }, now);

/** Refused before it was sent, by ourselves: the date is gone, the network no longer offered. */
export const refusedUnsent = (
  item: RequestItem,
  error: RequestError,
  lines: string | undefined,
  now: number,
): RequestItem => ended({ ...item, state: 'refused', error, lines }, now);

/** Back in line because the service could not be asked; `error` says why it waits, its message comes after `waitMs`. */
export const postponed = (item: RequestItem, error: RequestError, now: number, waitMs = 0): RequestItem => ({
  ...resting(item),
  state: 'planned',
  error,
  dueAt: at(now + waitMs + lostMessageMs),
  changedAt: at(now),
});

/** A new message is on its way for a planned request. */
export const resent = (item: RequestItem, now: number): RequestItem => ({ ...item, dueAt: at(now + lostMessageMs) });

/**
 * What the answer to `attempt` makes of the item, or undefined where it changes nothing. An id is never dropped, however
 * late it comes (fault 46); any other answer counts only for the attempt that is still the last.
 */
export function answered(
  item: RequestItem,
  attempt: number,
  answer: Answer,
  times: { readonly now: number; readonly quietMs: number },
): RequestItem | undefined {
  const { now, quietMs } = times;
  if (answer.kind === 'created') return withPort(item, attempt, answer.portId, now);
  if (answer.kind === 'accepted' || answer.kind === 'changed') return accepted(item, answer, now);
  const current = item.attempt === attempt && (item.state === 'in-flight' || item.state === 'unknown');
  if (!current) return undefined;
  if (answer.kind === 'not-sent') return postponed(item, answer.error, now);
  if (answer.kind === 'refused' && answer.named !== undefined) return goingOnWithout(item, answer.named, now);
  if (answer.kind === 'refused') return refused(item, answer.error, now);
  return { ...resting(item), state: 'unknown', error: answer.error, dueAt: at(now + quietMs), changedAt: at(now) };
}

/** The first ticket counts, and so does the first word that a port was changed. */
function accepted(
  item: RequestItem,
  answer: Extract<Answer, { readonly kind: 'accepted' | 'changed' }>,
  now: number,
): RequestItem | undefined {
  if (item.ticket !== undefined || item.changedPortId !== undefined) return undefined;
  const made = answer.kind === 'accepted' ? { ticket: answer.ticket } : { changedPortId: answer.portId };
  return ended({ ...item, ...made, state: 'accepted', error: undefined }, now);
}

/** Rows that the service refused by name in an earlier attempt (decision 25). */
export const refusedRows = (item: RequestItem): readonly WithdrawnRow[] =>
  (item.withdrawn ?? []).filter(({ code }) => code === 'ROW_REFUSED');

/** Back in line: the next attempt sends the rows that were not named, under an intent of its own. */
const goingOnWithout = (item: RequestItem, named: readonly WithdrawnRow[], now: number): RequestItem => ({
  ...resting(item),
  state: 'planned',
  withdrawn: [...(item.withdrawn ?? []), ...named],
  dueAt: at(now + lostMessageMs),
  changedAt: at(now),
});

/** A refusal ends the request, unless an earlier attempt turned out to have made a port after all. */
function refused(item: RequestItem, error: RequestError, now: number): RequestItem {
  const [portId, ...others] = item.duplicatePortIds ?? [];
  if (portId === undefined) return ended({ ...item, state: 'refused', error }, now);
  return created({ ...item, duplicatePortIds: others.length === 0 ? undefined : others }, portId, now);
}

/** Its own port first, then its duplicates: the ports of which a person can say that they stay. */
export const undecidedPortsOf = ({ portId, duplicatePortIds = [] }: RequestItem): string[] => [
  ...(portId === undefined ? [] : [portId]),
  ...duplicatePortIds,
];

/** Every port that the request is known to have made, its own first. */
export const portsOf = (item: RequestItem): string[] => [...undecidedPortsOf(item), ...(item.formerPortIds ?? [])];

function withPort(item: RequestItem, attempt: number, portId: string, now: number): RequestItem | undefined {
  if (portsOf(item).includes(portId)) return undefined;
  const overtaken = item.state === 'in-flight' && item.attempt !== attempt;
  if (item.portId !== undefined || overtaken) return withDuplicate(item, portId, now);
  return created(item, portId, now);
}

/** Due at once where it has a port, be that one at its end: the next look at it tells people of the other one. */
const withDuplicate = (item: RequestItem, portId: string, now: number): RequestItem => ({
  ...item,
  duplicatePortIds: [...(item.duplicatePortIds ?? []), portId],
  dueAt: item.state === 'created' ? at(now) : item.dueAt,
  changedAt: at(now),
});

/** A late answer may have named as a duplicate what is now taken as the request's own. */
function withoutDuplicate(item: RequestItem, portId: string): RequestItem {
  const others = item.duplicatePortIds?.filter((other) => other !== portId) ?? [];
  return { ...item, duplicatePortIds: others.length === 0 ? undefined : others };
}

/** Due at once, and until its port has been read and stands in the table as well. */
const created = (item: RequestItem, portId: string, now: number): RequestItem => ({
  ...resting(item),
  state: 'created',
  portId,
  error: undefined,
  endedAt: undefined,
  dueAt: at(now),
  changedAt: at(now),
});

/** Ports that carry the request's token and hold exactly its numbers: the first is adopted, further ones are duplicates. */
export function adopted(item: RequestItem, portIds: readonly string[], now: number): RequestItem {
  const [portId = '', ...others] = portIds;
  const isTaken = item.portId !== undefined && !(item.state === 'needs-human' && item.portId === portId);
  const taken = isTaken ? item : created(withoutDuplicate(item, portId), portId, now);
  return others
    .filter((other) => other !== taken.portId && !taken.duplicatePortIds?.includes(other))
    .reduce((changed, other) => withDuplicate(changed, other, now), taken);
}

/** Back in line: it was proven that nothing was made, or the call is one that does nothing twice. */
export const provenHarmless = (item: RequestItem, now: number): RequestItem => ({
  ...resting(item),
  state: 'planned',
  dueAt: at(now + lostMessageMs),
  changedAt: at(now),
});

/** Only a person can tell; it stays as it is until one does. */
export const leftToPeople = (item: RequestItem, message: string, now: number): RequestItem => ({
  ...resting(item),
  state: 'needs-human',
  error: { ...item.error, kind: item.error?.kind ?? 'ambiguous', message },
  changedAt: at(now),
});

/** A person decided that it goes back in line; whoever asks for this has made sure that the service holds nothing of it. */
export const sentAgain = (item: RequestItem, decided: Decided, now: number): RequestItem => ({
  ...provenHarmless(item, now),
  error: undefined,
  decided,
});

/** A person decided that nothing more is done for it: its numbers are free for another import. */
export const givenUp = (item: RequestItem, decided: Decided, message: string, now: number): RequestItem =>
  ended({ ...item, state: 'refused', error: { kind: 'given-up', message }, decided }, now);

/** A person decided which of its ports is the request's own. The others stay duplicates until they are over. */
export function kept(item: RequestItem, portId: string, decided: Decided, now: number): RequestItem {
  if (item.portId === portId) return { ...item, decided, changedAt: at(now) };
  const taken = created(withoutDuplicate({ ...item, duplicatePortIds: undecidedPortsOf(item) }, portId), portId, now);
  return { ...taken, portStatus: undefined, attention: undefined, decided };
}

/** These duplicates are over. Due at once, so that the port which stays is looked at without them. */
export function withoutDuplicates(item: RequestItem, over: readonly string[], now: number): RequestItem {
  const left = item.duplicatePortIds?.filter((id) => !over.includes(id)) ?? [];
  return {
    ...item,
    duplicatePortIds: left.length === 0 ? undefined : left,
    formerPortIds: [...(item.formerPortIds ?? []), ...over],
    dueAt: at(now),
    changedAt: at(now),
  };
}

/** To be looked at again later, without any change of state. */
export const lookedAfter = (item: RequestItem, dueAt: number): RequestItem => ({ ...item, dueAt: at(dueAt) });

/** The longest wait of a request whose port cannot be read or found, in wall time. */
const unreadableWaitMs = 60 * 60_000;

interface Times {
  readonly now: number;
  readonly quietMs: number;
}

/** Its port cannot be read: the longer nothing has changed, the more rarely is it tried. */
export function unreadable(item: RequestItem, { now, quietMs }: Times): RequestItem {
  const unchangedMs = Math.min(now - Date.parse(item.changedAt), unreadableWaitMs);
  return lookedAfter(item, now + Math.max(unchangedMs, quietMs));
}

/** Searches in a row that must prove nothing before a person is asked: with the waits between them, some hours of trouble. */
const vainSearches = 8;

/** The list of ports neither showed its port nor proved that there is none; `because` says why. */
export function soughtInVain(item: RequestItem, because: string, times: Times): RequestItem {
  const searches = (item.vainSearches ?? 0) + 1;
  if (searches < vainSearches) return { ...unreadable(item, times), vainSearches: searches };
  const advice = 'look for its name in the portal, then decide';
  return leftToPeople(item, `whether it made a port is not known: ${because}, ${searches} times; ${advice}`, times.now);
}

/** Looks in a row that must be answered with 404 before a person is asked (decision 33). */
const missingAfter = 3;
/** From the second of them on, so long passes before the next, in wall time: an hour's trouble is no person's. */
const missingWaitMs = 60 * 60_000;

/** The service answered 404 for the port that this request waits for. `message` is what it said. */
export function portMissing(item: RequestItem, message: string, { now, quietMs }: Times): RequestItem {
  const missingLooks = (item.missingLooks ?? 0) + 1;
  if (missingLooks < missingAfter) {
    return { ...lookedAfter(item, now + (missingLooks === 1 ? quietMs : missingWaitMs)), missingLooks };
  }
  return leftToPeople(item, `the service has not known the port for ${missingAfter} looks: ${message}`, now);
}

const resting = (item: RequestItem): RequestItem => ({
  ...item,
  leaseUntil: undefined,
  dueAt: undefined,
  missingLooks: undefined,
  vainSearches: undefined,
});

const ended = (item: RequestItem, now: number): RequestItem => ({
  ...resting(item),
  changedAt: at(now),
  endedAt: at(now),
});
