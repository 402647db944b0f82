// What the API, its infrastructure and the surfaces must agree on: where the API is, the roles, what is searched,
// and the queues.

export const apiPrefix = '/api/v1';

/** What a person may do. Every role may read; an operator may do everything. */
export const roles = ['viewer', 'uploader', 'approver', 'operator'] as const;
export type Role = (typeof roles)[number];

/** Characters. A shorter text is in almost every row, so no search over all imports takes it. */
export const shortestSearch = 4;

/** The work queues, in the order of the pipeline. */
export const queueNames = ['ingest', 'command', 'submit', 'report'] as const;
export type QueueName = (typeof queueNames)[number];
