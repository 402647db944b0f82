// What the service keeps, and the promises a store makes about it. Two stores keep them: memory and DynamoDB.
import type { Port } from './port.ts';

/** What a submission does to a SIM; `services` adds to what was set before. */
export interface SimChange {
  readonly status?: 'on-hire';
  readonly msisdn?: string;
  readonly tariffNumber?: number;
  readonly boltOns?: readonly number[];
  readonly provisioningOrder?: number | null;
  readonly publicIpGroupId?: number | null;
  readonly staticIpGroupId?: number | null;
  readonly services?: Readonly<Record<string, string>>;
  readonly barred?: readonly string[];
  readonly unbarred?: readonly string[];
  readonly bundle?: Readonly<Record<string, unknown>>;
}

/** Something that happened to a SIM. A SIM is what its events make of it (stock.ts); no event is ever changed. */
export interface SimEvent {
  readonly serialNumber: string;
  readonly accountId: number;
  readonly networkNumber: number;
  /** Epoch milliseconds from which it counts. */
  readonly at: number;
  /** Of the port that named the SIM, or of the submission. */
  readonly cause: { readonly portId: string } | { readonly ticketNumber: string; readonly change: SimChange };
}

export interface Submission {
  readonly ticketNumber: string;
  readonly accountId: number;
  readonly operation: string;
  readonly createdAt: number;
  readonly serialNumbers: readonly string[];
  readonly body: unknown;
}

/** A provisioning order that a port or a submission created. */
export interface NewProvisioningOrder {
  readonly accountId: number;
  readonly networkNumber: number;
  readonly number: number;
  readonly name: string;
}

/** Which port a number belongs to. */
export interface Holder {
  readonly portId: string;
  /** Claimed so long ago that the port exists by now, if it ever will. */
  readonly isOld: boolean;
}

export interface PortInsert {
  readonly port: Port;
  readonly simEvents: readonly SimEvent[];
  /** Numbers whose holder is a port that has let go of them, with that port's id: they may be taken over. */
  readonly released: ReadonlyMap<string, string>;
}

export interface Store {
  /** Keeps a new port durably, or nothing at all. Returns the numbers that another port holds; none means stored. */
  insertPort(insert: PortInsert): Promise<readonly string[]>;
  /** Replaces a port; false where it changed since `port.version - 1` was read. */
  savePort(port: Port): Promise<boolean>;
  port(id: string): Promise<Port | null>;
  /** An account's ports, newest first. */
  ports(accountId: number, offset: number, limit: number): Promise<{ total: number; ports: readonly Port[] }>;
  /** The port that last claimed each of these numbers (E.164 digits), of any account. */
  holders(numbers: readonly string[]): Promise<ReadonlyMap<string, Holder>>;
  /** The events of each SIM that has any, in the order of `at`. */
  simEvents(serialNumbers: readonly string[]): Promise<ReadonlyMap<string, readonly SimEvent[]>>;
  provisioningOrders(accountId: number, networkNumber: number): Promise<readonly NewProvisioningOrder[]>;
  /** Adding one that is there already (same account, network and name) changes nothing. */
  addProvisioningOrder(order: NewProvisioningOrder): Promise<void>;
  /** Keeps a submission and what it does to the SIMs. */
  addSubmission(submission: Submission, simEvents: readonly SimEvent[]): Promise<void>;
  submissions(accountId: number): Promise<readonly Submission[]>;
  /** What the sandbox keeps; null where it has kept nothing. */
  sandbox(): Promise<unknown>;
  saveSandbox(state: unknown): Promise<void>;
  /** Forgets everything but the sandbox's own state. */
  reset(): Promise<void>;
}
