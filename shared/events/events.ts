// What simporter tells other systems, as the `detail` of EventBridge events. docs/events.md and docs/events/*.schema.json say
// the same and are held equal to this file by a test. Members are added, never renamed or dropped; a change that breaks a
// reader is a new `version`. No member holds a phone number, a PAC, or a message of the service, which may hold either (decision 44).
import * as z from 'zod';
import { issueCodes } from '#shared/domain/issue.ts';
import { operationNames } from '#shared/domain/operation-name.ts';
import { shortIdPattern } from '#shared/domain/short-id.ts';

const count = z.int().nonnegative();
const byName = z.record(z.string(), count);

const everyEvent = {
  version: z.literal(1).describe('Version of this shape.'),
  id: z
    .string()
    .regex(new RegExp(`^${shortIdPattern}{16}$`))
    .describe('The same for every delivery of the same change: drop what you have seen.'),
  at: z.iso.datetime().describe('When the change was made.'),
  importId: z.string().describe('The import that it is about.'),
};

const file = {
  operation: z.enum(operationNames).nullable().describe('What the file was dropped for; null where that is unknown.'),
  file: z.string().describe('Key of the file in the inbox.'),
  rows: count.describe('Rows of the file, as far as it was read.'),
  accepted: count.describe('Rows that are good.'),
  rejected: count.describe('Rows that are wrong: they stand in rejected.csv.'),
};

const importPlanned = z.object({
  ...everyEvent,
  ...file,
  requests: count.describe('Requests that the plan makes of the good rows.'),
  waitsForApproval: z.boolean().describe('Whether a person must approve the plan before anything is sent.'),
});

const importRejected = z.object({
  ...everyEvent,
  ...file,
  codes: z.array(z.enum(issueCodes)).describe('Why, by the codes of docs/issues.md: the first few, each once.'),
});

const importCompleted = z.object({
  ...everyEvent,
  ...file,
  requests: byName.describe('Requests by the state in which they ended.'),
  ports: byName.describe('Ports by status, as the service writes it.'),
  attention: count.describe('Rows that wait for a person.'),
  withdrawn: count.describe('Rows that were taken out of their request before it was sent.'),
});

const request = z.int().positive().describe('Request of the import, counted from 1.');
const portId = z.string().describe('The port.');

const portStatusChanged = z.object({
  ...everyEvent,
  request,
  portId,
  status: z.string().describe('The status, as the service writes it.'),
  was: z.string().optional().describe('The status before; absent where the port is new.'),
  ended: z.boolean().describe('Whether it is the last status of a port: Complete or Cancelled.'),
});

const rowNeedsAttention = z.object({
  ...everyEvent,
  request,
  scope: z
    .enum(['row', 'port', 'request'])
    .describe('row: one line. port: all lines of a port. request: all lines of a request that may have been sent.'),
  rows: count.describe('How many rows wait for a person because of this.'),
  line: z.int().positive().optional().describe('The line of the file, where the scope is row.'),
  portId: portId.optional(),
  status: z.string().optional().describe('Status of the row or the port, as the service writes it.'),
  whatToDo: z.string().describe('What the person is to do; `simporter attention` has the rest.'),
});

/** The detail of each event, by its detail-type. */
export const eventDetails = {
  ImportPlanned: importPlanned,
  ImportRejected: importRejected,
  ImportCompleted: importCompleted,
  PortStatusChanged: portStatusChanged,
  RowNeedsAttention: rowNeedsAttention,
} as const;
export type EventName = keyof typeof eventDetails;
export const eventNames = Object.keys(eventDetails) as EventName[];

export type DetailOf<Name extends EventName> = z.infer<(typeof eventDetails)[Name]>;
export type Announcement = { [Name in EventName]: { readonly name: Name; readonly detail: DetailOf<Name> } }[EventName];
