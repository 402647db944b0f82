// The store for tests, demos and benchmarks: maps that end with the process.
import type { Port } from '../ports/port.ts';
import {
  type AccountData,
  type ControlsRecord,
  type Holder,
  type NewProvisioningOrder,
  type Owner,
  ownerKey,
  ownersOfPort,
  ownersOfSims,
  type Released,
  type SimEvent,
  type Store,
  type Submission,
} from './store.ts';

interface Claim {
  readonly owner: Owner;
  readonly accountId: number;
}

const eventKey = ({ at, cause }: SimEvent): string => `${at}#${'portId' in cause ? cause.portId : cause.ticketNumber}`;

/** The events of SIMs. The same event twice is one. */
function createEventLog() {
  const bySerial = new Map<string, Map<string, SimEvent>>();
  /** In the order of `at`; those of one time in the order in which they were added. */
  const inOrder = (ofSim: ReadonlyMap<string, SimEvent> = new Map()): SimEvent[] =>
    [...ofSim.values()].toSorted((left, right) => left.at - right.at);
  return {
    add(events: readonly SimEvent[]): void {
      for (const event of events) {
        const ofSim = bySerial.get(event.serialNumber) ?? new Map<string, SimEvent>();
        bySerial.set(event.serialNumber, ofSim.set(eventKey(event), event));
      }
    },
    ofSims(serialNumbers: readonly string[]): Map<string, SimEvent[]> {
      const found = serialNumbers.map((serialNumber) => [serialNumber, inOrder(bySerial.get(serialNumber))] as const);
      return new Map(found.filter(([, ofSim]) => ofSim.length > 0));
    },
    ofAccount: (accountId: number): SimEvent[] =>
      [...bySerial.values()].flatMap(inOrder).filter((event) => event.accountId === accountId),
    remove(accountId: number): void {
      for (const [serialNumber, ofSim] of bySerial) {
        for (const [key, event] of ofSim) if (event.accountId === accountId) ofSim.delete(key);
        if (ofSim.size === 0) bySerial.delete(serialNumber);
      }
    },
  };
}

/** Which number belongs to what. */
function createClaims() {
  const byNumber = new Map<string, Claim>();
  return {
    holders(numbers: readonly string[]): Map<string, Holder> {
      const held = numbers.flatMap((number) => {
        const claim = byNumber.get(number);
        return claim ? [[number, { owner: claim.owner, isOld: false }] as const] : [];
      });
      return new Map(held);
    },
    /** The numbers of the data that another account holds. */
    ofOthers: (accountId: number, data: AccountData): string[] =>
      data.claims.flatMap(({ number }) => ((byNumber.get(number)?.accountId ?? accountId) === accountId ? [] : number)),
    /** Claims all of the numbers, or none; returns those that have another owner. */
    take(accountId: number, owners: ReadonlyMap<string, Owner>, released: Released): string[] {
      const taken = [...owners.keys()].filter((number) => {
        const claim = byNumber.get(number);
        return claim !== undefined && ownerKey(claim.owner) !== released.get(number);
      });
      if (taken.length > 0) return taken;
      for (const [number, owner] of owners) byNumber.set(number, { owner, accountId });
      return [];
    },
    ofAccount: (accountId: number) =>
      [...byNumber]
        .filter(([, claim]) => claim.accountId === accountId)
        .map(([number, { owner }]) => ({ number, owner })),
    remove(accountId: number): void {
      for (const [number, claim] of byNumber) if (claim.accountId === accountId) byNumber.delete(number);
    },
  };
}

/** The ports, with their order of creation for each account. */
function createPorts() {
  const byId = new Map<string, Port>();
  const idsByAccount = new Map<number, string[]>();
  const idsOf = (accountId: number): string[] => idsByAccount.get(accountId) ?? [];
  return {
    get: (id: string) => byId.get(id),
    add(port: Port): void {
      byId.set(port.id, port);
      const ids = idsByAccount.get(port.accountId);
      if (ids) ids.push(port.id);
      else idsByAccount.set(port.accountId, [port.id]);
    },
    replace: (port: Port) => byId.set(port.id, port),
    ofAccount: (accountId: number): Port[] => idsOf(accountId).flatMap((id) => byId.get(id) ?? []),
    /** Newest first. */
    page(accountId: number, offset: number, limit: number): { total: number; ports: Port[] } {
      const ids = idsOf(accountId);
      const end = Math.max(0, ids.length - offset);
      const page = ids.slice(Math.max(0, end - limit), end).reverse();
      return { total: ids.length, ports: page.flatMap((id) => byId.get(id) ?? []) };
    },
    remove(accountId: number): void {
      for (const id of idsOf(accountId)) byId.delete(id);
      idsByAccount.delete(accountId);
    },
  };
}

/** Records of each account, in the order in which they were added. */
function createRecords<Element extends { readonly accountId: number }>() {
  const byAccount = new Map<number, Element[]>();
  return {
    add(added: readonly Element[]): void {
      for (const element of added) {
        const known = byAccount.get(element.accountId);
        if (known) known.push(element);
        else byAccount.set(element.accountId, [element]);
      }
    },
    ofAccount: (accountId: number): Element[] => [...(byAccount.get(accountId) ?? [])],
    remove: (accountId: number) => void byAccount.delete(accountId),
  };
}

type ControlsMethods = Pick<Store, 'controls' | 'saveControls'>;

function createControlsMethods(): ControlsMethods {
  let record: ControlsRecord | null = null;
  return {
    controls: async () => record,
    async saveControls(changed) {
      if (changed.version !== (record?.version ?? 0) + 1) return false;
      record = changed;
      return true;
    },
  };
}

export function createMemoryStore(): Store {
  const ports = createPorts();
  const claims = createClaims();
  const events = createEventLog();
  const orders = createRecords<NewProvisioningOrder>();
  const submissions = createRecords<Submission>();

  return {
    async insertPort({ port, simEvents, released }) {
      const taken = claims.take(port.accountId, ownersOfPort(port), released);
      if (taken.length > 0) return taken;
      ports.add(port);
      events.add(simEvents);
      return [];
    },
    async savePort(port) {
      if (ports.get(port.id)?.version !== port.version - 1) return false;
      ports.replace(port);
      return true;
    },
    port: async (id) => ports.get(id) ?? null,
    ports: async (accountId, offset, limit) => ports.page(accountId, offset, limit),
    holders: async (numbers) => claims.holders(numbers),
    simEvents: async (serialNumbers) => events.ofSims(serialNumbers),
    provisioningOrders: async (accountId, networkNumber) =>
      orders.ofAccount(accountId).filter((order) => order.networkNumber === networkNumber),
    async addProvisioningOrder(order) {
      const { accountId, networkNumber, name } = order;
      const isKnown = (each: NewProvisioningOrder) => each.networkNumber === networkNumber && each.name === name;
      if (!orders.ofAccount(accountId).some(isKnown)) orders.add([order]);
    },
    async addSubmission({ submission, simEvents, numbers, released }) {
      const taken = claims.take(submission.accountId, ownersOfSims(numbers), released);
      if (taken.length > 0) return taken;
      submissions.add([submission]);
      events.add(simEvents);
      return [];
    },
    submissions: async (accountId) => submissions.ofAccount(accountId),
    ...createControlsMethods(),
    readAccount: async (accountId) => ({
      ports: ports.ofAccount(accountId),
      simEvents: events.ofAccount(accountId),
      provisioningOrders: orders.ofAccount(accountId),
      submissions: submissions.ofAccount(accountId),
      claims: claims.ofAccount(accountId),
    }),
    async replaceAccount(accountId, data) {
      const foreign = claims.ofOthers(accountId, data);
      if (foreign.length > 0) return foreign;
      for (const part of [ports, claims, events, orders, submissions]) part.remove(accountId);
      for (const port of data.ports) ports.add(port);
      claims.take(accountId, new Map(data.claims.map(({ number, owner }) => [number, owner])), new Map());
      events.add(data.simEvents);
      orders.add(data.provisioningOrders);
      submissions.add(data.submissions);
      return [];
    },
  };
}
