// The events that simporter publishes for other systems, as the `detail` of EventBridge events. A test keeps
// docs/reference/events.md and docs/reference/events/*.schema.json equal to this file. Members are added, never renamed
// or removed; a change that breaks a reader is a new `version`. No member contains a phone number, a PAC, or a message
// of the service, which may contain either (spec gap 44).
import * as z from 'zod';
import { issueCodes } from '#shared/row/issue.ts';
import { operationNames, partKinds, shortIdPattern } from '#shared/text/identity.ts';

const count = z.int().nonnegative();
const byName = z.record(z.string(), count);

const everyEvent = {
  version: z.literal(1).describe('Version of this shape.'),
  id: z
    .string()
    .regex(new RegExp(`^${shortIdPattern}{16}$`))
    .describe('The same for every delivery of the same change: ignore an id that you have seen.'),
  at: z.iso.datetime().describe('When the change was made.'),
  importId: z.string().describe('The import.'),
};

const file = {
  operation: z
    .enum(operationNames)
    .nullable()
    .describe('Operation of the import; null when the folder of the file names none.'),
  file: z
    .string()
    .describe(
      'Key of the file in the inbox, at most 200 characters, without numbers, codes and characters such as quotation marks. Name the import by its id.',
    ),
  part: z
    .enum(partKinds)
    .optional()
    .describe('What the import does with the file of another one; absent where it is the import of a file.'),
  firstImportId: z.string().optional().describe('Only of a part: the import of that file.'),
  rows: count.describe('Rows of the file, as far as it was read.'),
  accepted: count.describe('Valid rows.'),
  rejected: count.describe('Invalid rows; they are in rejected.csv.'),
};

const importPlanned = z.object({
  ...everyEvent,
  ...file,
  requests: count.describe('Requests of the plan.'),
  waitsForApproval: z.boolean().describe('Whether a person must approve the plan before anything is submitted.'),
});

const importRejected = z.object({
  ...everyEvent,
  ...file,
  codes: z
    .array(z.enum(issueCodes))
    .describe('The first codes of its issues, each once; docs/reference/issues.md explains them.'),
});

const importFinished = z.object({
  ...everyEvent,
  ...file,
  requests: byName.describe('Requests by their final state.'),
  ports: byName.describe('Ports by status, as the service writes it.'),
  actionRequired: count.describe('Rows that require action.'),
  skipped: count.describe('Rows that were skipped: they were left out of their request before it was submitted.'),
  declined: count.describe('Rows that the service declined, also with their whole request.'),
});

const request = z.int().positive().describe('Number of the request in the import, from 1.');
const portId = z.string().describe('The port.');

const portStatusChanged = z.object({
  ...everyEvent,
  request,
  portId,
  status: z.string().describe('The status, as the service writes it.'),
  was: z.string().optional().describe('The previous status; absent when the port is new.'),
  ended: z.boolean().describe('Whether the status is final: Complete or Cancelled.'),
});

const actionRequiredEvent = z.object({
  ...everyEvent,
  request,
  scope: z
    .enum(['row', 'port', 'request'])
    .describe(
      'row: one row. port: all rows of a port. request: all rows of a request whose outcome is unknown, or those whose ' +
        'SIMs have other services than requested.',
    ),
  rows: count.describe('How many rows require this action.'),
  line: z.int().positive().optional().describe('Line number of the row in the file; only when the scope is row.'),
  portId: portId.optional(),
  status: z.string().optional().describe('Status of the row or of the port, as the service writes it.'),
  whatToDo: z.string().describe('What to do; `simporter actions` shows the details.'),
});

/** The detail of each event, by its detail-type. */
export const eventDetails = {
  ImportPlanned: importPlanned,
  ImportRejected: importRejected,
  ImportFinished: importFinished,
  PortStatusChanged: portStatusChanged,
  ActionRequired: actionRequiredEvent,
} as const;
export type EventName = keyof typeof eventDetails;
export const eventNames = Object.keys(eventDetails) as EventName[];

export type DetailOf<Name extends EventName> = z.infer<(typeof eventDetails)[Name]>;
export type Announcement = { [Name in EventName]: { readonly name: Name; readonly detail: DetailOf<Name> } }[EventName];
