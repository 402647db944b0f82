// The store for tests, demos and benches: plain maps, gone with the process.
import type { Port } from './port.ts';
import type { Holder, NewProvisioningOrder, SimEvent, Store, Submission } from './store.ts';

export function createMemoryStore(): Store {
  const ports = new Map<string, Port>();
  const idsByAccount = new Map<number, string[]>();
  const holders = new Map<string, string>();
  const events = new Map<string, SimEvent[]>();
  const orders = new Map<string, NewProvisioningOrder>();
  const submissions: Submission[] = [];
  let sandbox: unknown = null;

  const addEvents = (added: readonly SimEvent[]): void => {
    for (const event of added) {
      const earlier = events.get(event.serialNumber);
      if (earlier) earlier.push(event);
      else events.set(event.serialNumber, [event]);
    }
  };

  return {
    async insertPort({ port, simEvents, released }) {
      const numbers = port.rows.map(({ number }) => number);
      const taken = numbers.filter((number) => {
        const holder = holders.get(number);
        return holder !== undefined && holder !== released.get(number);
      });
      if (taken.length > 0) return taken;
      for (const number of numbers) holders.set(number, port.id);
      ports.set(port.id, port);
      const ids = idsByAccount.get(port.accountId);
      if (ids) ids.push(port.id);
      else idsByAccount.set(port.accountId, [port.id]);
      addEvents(simEvents);
      return [];
    },
    async savePort(port) {
      if (ports.get(port.id)?.version !== port.version - 1) return false;
      ports.set(port.id, port);
      return true;
    },
    port: async (id) => ports.get(id) ?? null,
    async ports(accountId, offset, limit) {
      const ids = idsByAccount.get(accountId) ?? [];
      const end = Math.max(0, ids.length - offset);
      const page = ids.slice(Math.max(0, end - limit), end).reverse();
      return { total: ids.length, ports: page.flatMap((id) => ports.get(id) ?? []) };
    },
    async holders(numbers) {
      const held = new Map<string, Holder>();
      for (const number of numbers) {
        const holder = holders.get(number);
        if (holder !== undefined) held.set(number, { portId: holder, isOld: false });
      }
      return held;
    },
    async simEvents(serialNumbers) {
      const found = new Map<string, readonly SimEvent[]>();
      for (const serialNumber of serialNumbers) {
        const ofSim = events.get(serialNumber);
        if (ofSim)
          found.set(
            serialNumber,
            ofSim.toSorted((left, right) => left.at - right.at),
          );
      }
      return found;
    },
    provisioningOrders: async (accountId, networkNumber) =>
      [...orders.values()].filter((order) => order.accountId === accountId && order.networkNumber === networkNumber),
    async addProvisioningOrder(order) {
      const key = JSON.stringify([order.accountId, order.networkNumber, order.name]);
      if (!orders.has(key)) orders.set(key, order);
    },
    async addSubmission(submission, simEvents) {
      submissions.push(submission);
      addEvents(simEvents);
    },
    submissions: async (accountId) => submissions.filter((submission) => submission.accountId === accountId),
    sandbox: async () => sandbox,
    async saveSandbox(state) {
      sandbox = state;
    },
    async reset() {
      for (const map of [ports, idsByAccount, holders, events, orders]) map.clear();
      submissions.length = 0;
    },
  };
}
