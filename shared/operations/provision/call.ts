// The calls of Provision and Change Provision: one body with the same fields, at two addresses (spec, Submissions).
import * as z from 'zod/mini';
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import { ticketSubmission } from '#shared/operations/columns/sim-row.ts';
import type { Revalidation, Submission, ValidationContext } from '#shared/operations/operation.ts';
import type { ProvisionBody, SubmissionPath } from '#shared/porting/submission-contract.ts';
import { findOrderNumber } from '../kit/provisioning-order.ts';

/** What all SIMs of one call share. An absent option is not sent, so the service does not reset it. */
export const provisionHead = z.object({
  networkNumber: z.int(),
  tariffNumber: z.int(),
  boltOns: z.optional(z.array(z.int())),
  provisioningOrderNumber: z.optional(z.int()),
  newProvisioningOrderName: z.optional(z.string()),
  publicIpGroupId: z.optional(z.int()),
  staticIpGroupId: z.optional(z.int()),
  purchaseOrderNumber: z.optional(z.string()),
});
export type ProvisionHead = z.infer<typeof provisionHead>;

/** The part of one SIM: the number that it gets, if any. */
export const provisionRowWire = z.object({ msisdn: z.optional(z.string()) });
export type ProvisionRowWire = z.infer<typeof provisionRowWire>;

/** Provision puts SIMs of the stock on hire, so a second call for the same SIMs is declined. */
export const provisionSubmission = (path: SubmissionPath): Submission => {
  const conflictsWithItself = path === '/api/simSubmission/Provision';
  return ticketSubmission({ path, head: provisionHead, bodyOf: provisionBodyOf, revalidate, conflictsWithItself });
};

function provisionBodyOf({ networkNumber: _, ...options }: ProvisionHead, { rows }: PlannedRequest): ProvisionBody {
  const stock = rows.map(({ subject, wire }) => ({ serialNumber: subject, ...provisionRowWire.parse(wire) }));
  const isNew = options.newProvisioningOrderName !== undefined;
  return { stock, ...options, ...(isNew ? { createNewProvisioningOrder: true } : {}) };
}

/** Another request of the import may have created the order with this name: then its number is sent (spec gap 17). */
async function revalidate(request: PlannedRequest, { catalogue }: ValidationContext): Promise<Revalidation> {
  const { newProvisioningOrderName: name, ...head } = provisionHead.parse(request.head);
  if (name === undefined) return { send: request };
  const number = await findOrderNumber(name, head.networkNumber, request, catalogue);
  return { send: number === undefined ? request : { ...request, head: { ...head, provisioningOrderNumber: number } } };
}
