// The faults of an effect (an AWS command or a call to the porting service) and their probabilities.
import type { Dice } from './dice.ts';
import { type ListFate, listFates } from './port-list.ts';

/**
 * killed-before, killed-after: the environment crashes before or after the effect. throttled: AWS does not accept the
 * command. repeated: AWS accepted it, the answer was lost, and the SDK sent it again.
 */
export type AwsFate = (typeof awsFates)[number];

/**
 * unreachable: no connection. lost: the request never arrives. reset, error, truncated, web-page: the service
 * processed the call, and the answer is invalid. hang: the service processes it after the time-out. limited: 429.
 * unauthorised: 401. gateway-page, gateway-page-before: the 4xx page of a gateway, after the call was processed or
 * instead. delivered-twice: a gateway repeats the call, and returns the second answer. committed-late: the connection
 * breaks, and the service processes the call long after the quiet period; committed-hours-later: after up to half a
 * day. wrong-id: 201 with the id of another port, or of none.
 */
export type CallFate = 'done' | 'killed-before' | 'killed-after' | 'committed-hours-later' | (typeof callFates)[number];

/** Effects by name: `PutCommand`, `POST /api/porting/1001`. `what` describes the caller and the item. */
export interface Faults {
  aws(effect: string, what: () => string): AwsFate;
  call(effect: string, what: () => string): CallFate;
  /** Whether a part of a batch is not accepted. */
  partly(): boolean;
  /** Whether a received message stays visible to other readers. */
  forgets(): boolean;
  /** Whether a processed message stays in its queue. */
  undeleted(): boolean;
  /** How the port list changes while it is read, starting with its first page. */
  list(): ListFate;
}

export const noFaults: Faults = {
  aws: () => 'done',
  call: () => 'done',
  partly: () => false,
  forgets: () => false,
  undeleted: () => false,
  list: () => 'steady',
};

/** Probabilities per effect. */
export interface FaultRates {
  readonly kill: number;
  readonly throttle: number;
  readonly repeat: number;
  readonly call: number;
  readonly forget: number;
  readonly undeleted: number;
  readonly list: number;
}

/** From no faults (0) to very many (1). */
export function ratesOf(badness: number): FaultRates {
  return {
    kill: 0.03 * badness ** 2,
    throttle: 0.06 * badness,
    repeat: 0.03 * badness,
    call: 0.35 * badness,
    forget: 0.3 * badness,
    undeleted: 0.3 * badness,
    list: 0.9 * badness,
  };
}

/** The possible faults of an AWS command. */
export const awsFates = ['done', 'killed-before', 'killed-after', 'throttled', 'repeated'] as const;

/** The possible faults of a call, other than a crash of the caller. */
export const callFates = [
  'unreachable',
  'lost',
  'error-before',
  'reset',
  'error',
  'truncated',
  'web-page',
  'hang',
  'limited',
  'unauthorised',
  'gateway-page',
  'gateway-page-before',
  'delivered-twice',
  'committed-late',
  'wrong-id',
] as const;

export function randomFaults(dice: Dice, rates: FaultRates, counts: Map<string, number>): Faults {
  const noted = <Fate extends string>(fate: Fate): Fate => {
    if (fate !== 'done') counts.set(fate, (counts.get(fate) ?? 0) + 1);
    return fate;
  };
  const killed = () => dice.pick(['killed-before', 'killed-after'] as const);
  /** So many calls more are answered 429: a service limits all calls of a moment, not single ones. */
  let limited = 0;
  return {
    aws: () => {
      if (dice.chance(rates.kill)) return noted(killed());
      if (dice.chance(rates.throttle)) return noted('throttled');
      return noted(dice.chance(rates.repeat) ? 'repeated' : 'done');
    },
    call: () => {
      if (dice.chance(rates.kill)) return noted(killed());
      if (limited === 0 && dice.chance(rates.call / 15)) limited = dice.between(5, 40);
      if (limited > 0) {
        limited -= 1;
        return noted('limited');
      }
      return noted(dice.chance(rates.call) ? dice.pick(callFates) : 'done');
    },
    partly: () => dice.chance(rates.throttle),
    forgets: () => {
      const isForgotten = dice.chance(rates.forget);
      if (isForgotten) noted('delivered to two');
      return isForgotten;
    },
    undeleted: () => {
      const isLeft = dice.chance(rates.undeleted);
      if (isLeft) noted('undeleted');
      return isLeft;
    },
    list: () => {
      const fate = dice.chance(rates.list) ? dice.pick(listFates) : 'steady';
      if (fate !== 'steady') noted(`list ${fate}`);
      return fate;
    },
  };
}

export interface PlacedFaults extends Faults {
  /** The names of all effects so far, in order. */
  readonly effects: readonly string[];
  /** The description of each effect. */
  readonly about: readonly string[];
}

/** Faults at single effects, counted from 1 over the whole run. A fault of a call has no effect on a command. */
export function faultsAt(points: ReadonlyMap<number, AwsFate | CallFate>): PlacedFaults {
  const effects: string[] = [];
  const about: string[] = [];
  const fateOf = (effect: string, what: () => string): AwsFate | CallFate => {
    effects.push(effect);
    about.push(what());
    return points.get(effects.length) ?? 'done';
  };
  const isAwsFate = (fate: AwsFate | CallFate): fate is AwsFate => awsFates.some((each) => each === fate);
  const isCallFate = (fate: AwsFate | CallFate): fate is CallFate => fate !== 'throttled' && fate !== 'repeated';
  return {
    ...noFaults,
    effects,
    about,
    aws: (effect, what) => {
      const fate = fateOf(effect, what);
      return isAwsFate(fate) ? fate : 'done';
    },
    call: (effect, what) => {
      const fate = fateOf(effect, what);
      return isCallFate(fate) ? fate : 'done';
    },
  };
}
