import type { RequestItem } from '#shared/items/request.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import type { SyncDependencies } from './dependencies.ts';

/** What the request's call makes; undefined for an operation that this version does not have. */
export const makesOf = (
  { operation }: RequestItem,
  { operationNamed }: SyncDependencies,
): Submission['makes'] | undefined => operationNamed(operation)?.submission.makes;
