// What the API, its infrastructure and the console must agree on: where the API is, and the roles.

export const apiPrefix = '/api/v1';

/** What a person may do. Every role may read; an operator may do everything. */
export const roles = ['viewer', 'uploader', 'approver', 'operator'] as const;
export type Role = (typeof roles)[number];
