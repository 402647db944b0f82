// Who is signed in, and where.
import * as z from 'zod';
import { approvalModes } from '#shared/domain/imports/approval.ts';
import { count } from '#shared/domain/schemas.ts';
import { outage } from '#shared/read-models/answers.ts';
import { roles } from '../route-table.ts';

export const me = z.object({
  /** The subject of the token. */
  id: z.string(),
  name: z.string(),
  roles: z.array(z.enum(roles)),
});

export const environment = z.object({
  /** The name of the environment, such as `production`. */
  name: z.string(),
  kind: z.enum(['local', 'sandbox', 'production']),
  /** CSS colour of the environment's banner. */
  colour: z.string(),
  account: z.int(),
  /** The porting service is a simulator: nothing reaches a network. */
  simulated: z.boolean(),
  /** The time zone of the account, such as `Europe/London`: every time is shown in it. */
  zone: z.string(),
  callingCode: z.string(),
  /** Which files wait for an approver, and whether it must be a second person (docs/deploy.md). */
  approval: z.enum(approvalModes),
  maxFileBytes: count,
  maxRowsPerRequest: count,
  outage: outage.optional(),
});
