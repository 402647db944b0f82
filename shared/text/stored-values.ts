// Every key of the results table. `due` and `listed` are its two sparse indexes.

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** Items that are due, by time: partition `dueQueue`, sort `dueAt`. */
export const dueIndex = 'due';
/** Items that people list, by time: partition `listed`, sort `listedAt`. */
export const listedIndex = 'listed';

/** The attributes of an item without those that only the table and its indexes read. */
export const withoutKeys = ({ pk, sk, dueQueue, listed, listedAt, ...item }: Readonly<Record<string, unknown>>) => item;

const importPk = (importId: string): string => `import#${importId}`;
/** Padded, so that a query returns the requests of an import in their order. */
const padded = (request: number): string => String(request).padStart(7, '0');

export const importKey = (importId: string): ItemKey => ({ pk: importPk(importId), sk: 'import' });

export const requestPrefix = 'request#';
export const requestKey = (importId: string, request: number): ItemKey => ({
  pk: importPk(importId),
  sk: `${requestPrefix}${padded(request)}`,
});

/** The comparison of a request's services, once its port is complete. */
export const comparisonPrefix = 'comparison#';
export const comparisonKey = (importId: string, request: number): ItemKey => ({
  pk: importPk(importId),
  sk: `${comparisonPrefix}${padded(request)}`,
});

export const numberKey = (number: string): ItemKey => ({ pk: `number#${number}`, sk: 'current' });
/** A claim that another import took over, under the time at which it was made. */
export const formerNumberPrefix = 'history#';
export const formerNumberKey = (number: string, claimedAt: string): ItemKey => ({
  pk: `number#${number}`,
  sk: `${formerNumberPrefix}${claimedAt}`,
});

const portPk = (portId: string): string => `port#${portId}`;
export const portKey = (portId: string): ItemKey => ({ pk: portPk(portId), sk: 'port' });
export const portRowsKey = (portId: string): ItemKey => ({ pk: portPk(portId), sk: 'rows' });
/** With the status, so that the same change can be written twice. */
export const portEventPrefix = 'event#';
export const portEventKey = (portId: string, at: string, status: string): ItemKey => ({
  pk: portPk(portId),
  sk: `${portEventPrefix}${at}#${status}`,
});

/**
 * What people did with the import, in order of time. The API writes no partition of the pipeline: audit trails, drafts,
 * saved settings and resolutions have their own.
 */
export const auditPrefix = 'audit#';
export const auditPk = (importId: string): string => `audit#${importId}`;
export const auditKey = (importId: string, at: string, action: string): ItemKey => ({
  pk: auditPk(importId),
  sk: `${auditPrefix}${at}#${action}`,
});
/** A person approves a plan once, however many requests they send for it. */
export const approvalKey = (importId: string, plan: string, person: string): ItemKey => ({
  pk: auditPk(importId),
  sk: `${auditPrefix}approved#${plan}#${person}`,
});
/** Written by the function of the API that reads, which so cannot write who uploaded or approved. */
export const downloadsPk = (importId: string): string => `download#${importId}`;
export const downloadKey = (importId: string, at: string, person: string, file: string): ItemKey => ({
  pk: downloadsPk(importId),
  sk: `${auditPrefix}${at}#${person}#${file}`,
});
export const uploaderKey = (importId: string): ItemKey => ({ pk: auditPk(importId), sk: 'uploader' });

/** Whose changes of invalid rows are kept. */
export const draftPrefix = 'draft#';
export const draftPk = (importId: string): string => `draft#${importId}`;
export const draftKey = (importId: string, draftId: string): ItemKey => ({
  pk: draftPk(importId),
  sk: `${draftPrefix}${draftId}`,
});

/** How files with a certain header are read. */
export const savedSettingsPrefix = 'header#';
export const savedSettingsPk = (account: number): string => `saved#${account}`;
export const savedSettingsKey = (account: number, savedId: string): ItemKey => ({
  pk: savedSettingsPk(account),
  sk: `${savedSettingsPrefix}${savedId}`,
});

/** How a person resolves a request: the last time that this was asked for in the API. */
export const resolutionPk = (importId: string): string => `resolution#${importId}`;
export const resolutionKey = (importId: string, request: number): ItemKey => ({
  pk: resolutionPk(importId),
  sk: padded(request),
});

export const uploadItemKey = (uploadId: string): ItemKey => ({ pk: `upload#${uploadId}`, sk: 'upload' });
export const idempotencyKey = (writeId: string): ItemKey => ({ pk: `idempotency#${writeId}`, sk: 'idempotency' });
export const notificationKey = (importId: string): ItemKey => ({ pk: `notification#${importId}`, sk: 'notification' });
export const leaseKey = (name: string): ItemKey => ({ pk: `lease#${name}`, sk: 'lease' });
/** The import that last had this content. */
export const contentKey = (account: number, contentHash: string): ItemKey => ({
  pk: `content#${account}#${contentHash}`,
  sk: 'content',
});
/** A name that a request has used for a new provisioning order. */
export const orderNameKey = (networkNumber: number, name: string): ItemKey => ({
  pk: `orderName#${networkNumber}#${name}`,
  sk: 'used',
});
/** The rate limit that all environments share. */
export const rateLimitKey = (account: number): ItemKey => ({ pk: `service#${account}`, sk: 'rateLimiter' });

/**
 * Each of these due queues has several partitions, so that a large import does not overload a single one. How many are
 * needed depends on the writes per second, not on the items that are due (docs/contributing/performance.md).
 */
const dueShards = 4;

/** All partitions of a due queue. */
export const shardsOf = (queue: (shard: number) => string): string[] =>
  Array.from({ length: dueShards }, (_, shard) => queue(shard));

/** Distributes by the last characters of an id, which is random. */
const shardOf = (id: string): number => {
  let sum = 0;
  for (let index = Math.max(0, id.length - 4); index < id.length; index += 1) sum += id.charCodeAt(index);
  return sum % dueShards;
};

export const requestQueue = (shard: number): string => `requests#${shard}`;
export const requestQueueOf = (token: string): string => requestQueue(shardOf(token));
/** Requests that wait for submit. A large import has thousands: they must not keep others from being read. */
export const plannedQueue = (shard: number): string => `planned#${shard}`;
export const plannedQueueOf = (token: string): string => plannedQueue(shardOf(token));
export const portQueue = (shard: number): string => `ports#${shard}`;
export const portQueueOf = (portId: string): string => portQueue(shardOf(portId));

/** Requests that wait for a port to be cancelled. One partition: every run of sync reads each of them. */
export const heldQueue = 'held';
/** Requests that are sent on a later day. One partition: submit schedules a request once. */
export const scheduledQueue = 'scheduled';
/** One partition: sync limits how many comparisons it writes in a run. */
export const comparisonQueue = 'mismatch';
/** One partition: people resolve requests one by one. */
export const resolutionQueue = 'resolutions';
/** One partition: an import writes to it a few times a day. */
export const notificationQueue = 'notifications';

export const importsListed = (account: number): string => `imports#${account}`;
export const actionsListed = (account: number): string => `action-required#${account}`;
/** Requests for which action is required. One partition, because requests do not name their account. */
export const requestsListed = 'requests';
export const mismatchesListed = (account: number): string => `mismatch#${account}`;
