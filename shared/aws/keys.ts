// Every key of the results table, in one place. `due` and `listed` are the two sparse indexes.

/** Primary key of an item. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** Index of what somebody must look after, by time: partition `dueQueue`, sort `dueAt`. */
export const dueIndex = 'due';
/** Index of what people list, by time: partition `listed`, sort `listedAt`. */
export const listedIndex = 'listed';

/** How many partitions each due queue is spread over, so that one large import does not heat a single one. */
export const dueShards = 4;

export const importKey = (importId: string): ItemKey => ({ pk: `import#${importId}`, sk: 'import' });

/** Padded so that a query of the import answers its requests in their order. */
export const requestKey = (importId: string, request: number): ItemKey => ({
  pk: `import#${importId}`,
  sk: `request#${String(request).padStart(7, '0')}`,
});
export const requestPrefix = 'request#';

/** Requests that wait for a port to be cancelled: one partition, each is looked at by every run of sync. */
export const heldQueue = 'held';

/** The comparison of a request's services, once its port is complete. */
export const driftKey = (importId: string, request: number): ItemKey => ({
  pk: `import#${importId}`,
  sk: `drift#${String(request).padStart(7, '0')}`,
});
export const driftPrefix = 'drift#';
/** One partition: what is written to it is bounded by what sync compares in a run. */
export const driftQueue = 'drift';

export const numberKey = (number: string): ItemKey => ({ pk: `number#${number}`, sk: 'current' });
/** A claim that another import took over, under the time it had been made. */
export const formerNumberKey = (number: string, claimedAt: string): ItemKey => ({
  pk: `number#${number}`,
  sk: `history#${claimedAt}`,
});
export const formerNumberPrefix = 'history#';

export const portKey = (portId: string): ItemKey => ({ pk: `port#${portId}`, sk: 'port' });
export const portRowsKey = (portId: string): ItemKey => ({ pk: `port#${portId}`, sk: 'rows' });
/** The status stands in the key, so that writing the same change twice is harmless. */
export const portEventKey = (portId: string, at: string, status: string): ItemKey => ({
  pk: `port#${portId}`,
  sk: `event#${at}#${status}`,
});
export const portEventPrefix = 'event#';

export const reminderKey = (importId: string): ItemKey => ({ pk: `reminder#${importId}`, sk: 'reminder' });
/** One partition: an import writes to it a few times a day. */
export const reminderQueue = 'reminders';

export const leaseKey = (name: string): ItemKey => ({ pk: `lease#${name}`, sk: 'lease' });

/** The pace that all environments of the stage keep towards the service. */
export const paceKey = (account: number): ItemKey => ({ pk: `service#${account}`, sk: 'pace' });

/** Spreads by the last characters of an id that is random anyway. */
const shardOf = (id: string): number => {
  let sum = 0;
  for (let index = Math.max(0, id.length - 4); index < id.length; index += 1) sum += id.charCodeAt(index);
  return sum % dueShards;
};

export const requestQueue = (shard: number): string => `requests#${shard}`;
export const requestQueueOf = (token: string): string => requestQueue(shardOf(token));
/** Requests that wait for submit, of which a large import has thousands: none may keep one in doubt from being read. */
export const plannedQueue = (shard: number): string => `planned#${shard}`;
export const plannedQueueOf = (token: string): string => plannedQueue(shardOf(token));
export const portQueue = (shard: number): string => `ports#${shard}`;
export const portQueueOf = (portId: string): string => portQueue(shardOf(portId));

export const importsListed = (account: number): string => `imports#${account}`;
export const attentionListed = (account: number): string => `attention#${account}`;
/** Requests left to people: one partition, as they name no account. */
export const requestsListed = 'requests';
export const driftListed = (account: number): string => `drift#${account}`;
