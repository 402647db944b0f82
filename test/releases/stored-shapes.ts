// Every shape that simporter stores or sends to itself, with the schema that reads it. A release keeps samples of each
// and the schemas as JSON Schema.
import * as z from 'zod';
import { eventDetails } from '#shared/api/events.ts';
import { auditEntry } from '#shared/import/approval.ts';
import { importItem } from '#shared/import/import.ts';
import { partItem } from '#shared/import/part.ts';
import { comparisonItem } from '#shared/outcome/service-comparison.ts';
import { portEvent, portItem } from '#shared/port/port.ts';
import {
  approvalMessage,
  reportMessage,
  rescheduleMessage,
  resumeMessage,
  stopMessage,
  submitMessage,
} from '#shared/request/messages.ts';
import { numberItem } from '#shared/request/number-claim.ts';
import { plannedRequest, requestItem } from '#shared/request/request.ts';
import { rateLimitItem } from '#shared/request/shared-rate-limit.ts';
import { resultsIndex } from '#shared/results/results-csv.ts';
import { contentItem } from '#shared/store/first-uses.ts';
import { idempotencyItem } from '#shared/store/idempotency-keys.ts';
import { uploadItem } from '#shared/store/people.ts';
import { indexedRequest } from '#shared/store/plans.ts';
import { portRowsItem } from '#shared/store/ports.ts';

/** Items without a schema in the code, which reads these attributes only. */
const notification = z.object({ importId: z.string(), dueQueue: z.string(), dueAt: z.string() });
const lease = z.object({ holder: z.string(), leaseUntil: z.string() });

/** Keyed by the names that the samples have. */
export const storedShapes: Readonly<Record<string, z.core.$ZodType>> = {
  'item import': importItem,
  'item part': partItem,
  'item request': requestItem,
  'item comparison': comparisonItem,
  'item audit': auditEntry,
  'item number': numberItem,
  'item port': portItem,
  'item port rows': portRowsItem,
  'item port event': portEvent,
  'item upload': uploadItem,
  'item idempotency': idempotencyItem,
  'item notification': notification,
  'item lease': lease,
  'item content': contentItem,
  'item rate limit': rateLimitItem,
  'message submit': submitMessage,
  'message report': reportMessage,
  'message approval': approvalMessage,
  'message stop': stopMessage,
  'message resume': resumeMessage,
  'message reschedule': rescheduleMessage,
  'file plan.ndjson': plannedRequest,
  'file plan-index.ndjson': indexedRequest,
  'file results-index.json': resultsIndex,
  ...Object.fromEntries(Object.entries(eventDetails).map(([name, schema]) => [`event ${name}`, schema])),
};

/** The shape of an item, by its keys. */
const shapesByKey: readonly (readonly [key: RegExp, shape: string])[] = [
  [/^import#\S+ import$/, 'item import'],
  [/^import#\S+ part#/, 'item part'],
  [/^import#\S+ request#/, 'item request'],
  [/^import#\S+ comparison#/, 'item comparison'],
  [/^audit#/, 'item audit'],
  [/^number#/, 'item number'],
  [/^port#\S+ port$/, 'item port'],
  [/^port#\S+ rows$/, 'item port rows'],
  [/^port#\S+ event#/, 'item port event'],
  [/^upload#/, 'item upload'],
  [/^idempotency#/, 'item idempotency'],
  [/^notification#/, 'item notification'],
  [/^lease#/, 'item lease'],
  [/^content#/, 'item content'],
  [/^service#\S+ rateLimiter$/, 'item rate limit'],
];

/** @throws Error for an item of a new kind: add its schema above */
export function shapeOfItem({ pk, sk }: Readonly<Record<string, unknown>>): string {
  const found = shapesByKey.find(([key]) => key.test(`${pk} ${sk}`));
  if (found === undefined) throw new Error(`stored-shapes.ts knows no item with the keys ${pk} / ${sk}`);
  return found[1];
}

/** What a reader of that shape takes: a release ignores members that a later one added. */
export const jsonSchemaOf = (shape: z.core.$ZodType): object => z.toJSONSchema(shape, { io: 'input' });

/** Samples by shape. */
export type Samples = Readonly<Record<string, readonly unknown[]>>;
