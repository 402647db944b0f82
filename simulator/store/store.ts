// What the simulator keeps, and the promises that a store makes about it. Two stores keep them: memory and DynamoDB.
import type { Port } from '../ports/port.ts';

/** What a submission does to a SIM. `services` adds to what was set before. */
export interface SimChange {
  readonly status?: 'in-stock' | 'on-hire';
  readonly msisdn?: string | null;
  readonly tariffNumber?: number | null;
  readonly boltOns?: readonly number[];
  readonly provisioningOrder?: number | null;
  readonly publicIpGroupId?: number | null;
  readonly staticIpGroupId?: number | null;
  readonly services?: Readonly<Record<string, string>>;
  readonly barred?: readonly string[];
  readonly unbarred?: readonly string[];
  readonly bundle?: Readonly<Record<string, unknown>>;
}

/** Something that happened to a SIM. The state of a SIM is derived from its events (sims.ts); no event ever changes. */
export interface SimEvent {
  readonly serialNumber: string;
  readonly accountId: number;
  readonly networkNumber: number;
  /** Epoch milliseconds from which it counts. */
  readonly at: number;
  /** The port that named the SIM, or the submission. */
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

/** What a number belongs to: a port, or a SIM that was provisioned with it. */
export type Owner = { readonly portId: string } | { readonly serialNumber: string };

export interface Holder {
  readonly owner: Owner;
  /** The claim is so old that its port exists by now, if it ever will. */
  readonly isOld: boolean;
}

/** An owner as one text, to compare it. */
export const ownerKey = (owner: Owner): string =>
  'portId' in owner ? `port#${owner.portId}` : `sim#${owner.serialNumber}`;

export const ownersOfPort = ({ id, rows }: Port): Map<string, Owner> =>
  new Map(rows.map(({ number }) => [number, { portId: id }]));

export const ownersOfSims = (numbers: ReadonlyMap<string, string>): Map<string, Owner> =>
  new Map([...numbers].map(([number, serialNumber]) => [number, { serialNumber }]));

/** Numbers whose owner has released them, with that owner's key: they may be claimed. */
export type Released = ReadonlyMap<string, string>;

export interface PortInsert {
  readonly port: Port;
  readonly simEvents: readonly SimEvent[];
  readonly released: Released;
}

export interface SubmissionInsert {
  readonly submission: Submission;
  readonly simEvents: readonly SimEvent[];
  /** The numbers that SIMs get, with the serial number of each. */
  readonly numbers: ReadonlyMap<string, string>;
  readonly released: Released;
}

/** Everything of one account: what a snapshot holds. */
export interface AccountData {
  /** Oldest first. */
  readonly ports: readonly Port[];
  /** Those of one SIM in the order of `at`. */
  readonly simEvents: readonly SimEvent[];
  readonly provisioningOrders: readonly NewProvisioningOrder[];
  readonly submissions: readonly Submission[];
  readonly claims: readonly { readonly number: string; readonly owner: Owner }[];
}

export const emptyAccount: AccountData = {
  ports: [],
  simEvents: [],
  provisioningOrders: [],
  submissions: [],
  claims: [],
};

/** The state of the test controls. A change is saved with the next version. */
export interface ControlsRecord {
  readonly state: unknown;
  readonly version: number;
}

export interface Store {
  /** Keeps a new port durably, or nothing at all. Returns the numbers that have another owner; none means kept. */
  insertPort(insert: PortInsert): Promise<readonly string[]>;
  /** Replaces a port; false if it changed since `port.version - 1` was read. */
  savePort(port: Port): Promise<boolean>;
  port(id: string): Promise<Port | null>;
  /** An account's ports, newest first. */
  ports(accountId: number, offset: number, limit: number): Promise<{ total: number; ports: readonly Port[] }>;
  /** The owner of each of these numbers (E.164 digits), of whichever account. */
  holders(numbers: readonly string[]): Promise<ReadonlyMap<string, Holder>>;
  /** The events of each SIM that has any, in the order of `at`. */
  simEvents(serialNumbers: readonly string[]): Promise<ReadonlyMap<string, readonly SimEvent[]>>;
  provisioningOrders(accountId: number, networkNumber: number): Promise<readonly NewProvisioningOrder[]>;
  /** Adding one that exists already (same account, network and name) changes nothing. */
  addProvisioningOrder(order: NewProvisioningOrder): Promise<void>;
  /** Keeps a submission, what it does to SIMs, and their numbers; or nothing. Returns the numbers of other owners. */
  addSubmission(insert: SubmissionInsert): Promise<readonly string[]>;
  submissions(accountId: number): Promise<readonly Submission[]>;
  /** The state of the test controls; null if none was saved. */
  controls(): Promise<ControlsRecord | null>;
  /** False if another process saved this version. */
  saveControls(record: ControlsRecord): Promise<boolean>;
  readAccount(accountId: number): Promise<AccountData>;
  /** Replaces everything of an account. Returns the numbers that another account holds; then nothing changed. */
  replaceAccount(accountId: number, data: AccountData): Promise<readonly string[]>;
}

/** Other processes changed the same data on every attempt. Nothing was done, and the request can be repeated. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
}
