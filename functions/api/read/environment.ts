// Shows who is signed in and where, and how the account reads files with a header.
import * as z from 'zod';
import { roles } from '#shared/api/agreed-names.ts';
import { approvalModes } from '#shared/import/approval.ts';
import { savedSettings } from '#shared/import/saved-settings.ts';
import { interruptions } from '#shared/results/answers.ts';
import { readInterruptions } from '#shared/results/progress.ts';
import { count } from '#shared/text/stored-values.ts';
import type { ApiReader } from '../context.ts';
import { endpoint, hasRole } from '../http/endpoint.ts';

// Who is signed in, and where.

const me = z.object({
  /** The subject of the token. */
  id: z.string(),
  name: z.string(),
  roles: z.array(z.enum(roles)),
});

const environment = z.object({
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
  /** Which files wait for an approver, and whether it must be a second person (docs/reference/settings.md). */
  approval: z.enum(approvalModes),
  maxFileBytes: count,
  maxRowsPerRequest: count,
  ...interruptions.shape,
});

/** With the roles that others include. */
export const getMe = endpoint(
  {
    at: 'GET /me',
    role: 'viewer',
    summary: 'Who is signed in, and what this person may do',
    accepts: {},
    answer: me,
  },
  async ({ caller }) => ({
    id: caller.id,
    name: caller.name,
    roles: roles.filter((role) => hasRole(caller, role)),
  }),
);

export const getEnvironment = endpoint(
  {
    at: 'GET /environment',
    role: 'viewer',
    summary: 'The environment: its name, account, limits and service',
    accepts: {},
    answer: environment,
  },
  async (_call, reader: ApiReader) => {
    return { ...reader.settings, ...(await readInterruptions(reader)) };
  },
);

// How files with a certain header are read, as people saved it.

const savedAnswer = z.object(savedSettings.shape).omit({ authors: true });

export const listSavedSettings = endpoint(
  {
    at: 'GET /saved-settings',
    role: 'viewer',
    summary: 'How files with a certain header are read',
    accepts: {},
    answer: z.object({ saved: z.array(savedAnswer) }),
  },
  async (_call, reader: ApiReader) => {
    const saved = await reader.savedSettings.list();
    saved.sort((one, other) => other.savedAt.localeCompare(one.savedAt));
    return { saved: saved.map(({ authors: _, ...shown }) => shown) };
  },
);
