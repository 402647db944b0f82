// A search of the list of ports: passes over the whole list, which may take several runs.
import type { PageBase, Scan } from '#shared/service/scan-port-list.ts';

/** By token; another stamp after each change of the request. */
export type Stamps = ReadonlyMap<string, string>;
/** Ids of ports by the token in their name. */
export type IdsByToken = Map<string, Set<string>>;

export interface Pass {
  readonly scan: Scan;
  /** What was sought when the pass began: it proves nothing about an attempt that was made later. */
  readonly stamps: Stamps;
  readonly found: IdsByToken;
  /** Ports in progress that the ledger knew when the pass began, and that the list has not shown yet. */
  readonly missing: Set<string>;
}

export interface FinishedPass {
  /** Which pass of the search was the last one, counted from 1. */
  readonly number: number;
  readonly stamps: Stamps;
  readonly found: IdsByToken;
  /** Ports that the list showed. */
  readonly listed: number;
  /** It showed as many ports as its total, and every port in progress that the ledger knows. */
  readonly isComplete: boolean;
  /** The list had no end. */
  readonly isEndless: boolean;
  readonly pageSize: number;
  readonly pageBase: PageBase | undefined;
}

/** What a run leaves to the next one. */
export interface Search {
  pass?: Pass | undefined;
  /** The pass before it, or a complete one that an incomplete pass followed. */
  earlier?: FinishedPass | undefined;
}
