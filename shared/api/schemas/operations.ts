// Operations, their templates, and the reference data to choose from.
import * as z from 'zod';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { referenceTableNames } from '#shared/domain/reference-tables.ts';

export const operationColumn = z.object({
  name: z.string(),
  required: z.boolean(),
  /** Its value is usually the same in many rows. */
  repeats: z.boolean(),
  /** Its values are secret: they can be written and never read. */
  secret: z.boolean(),
  aliases: z.array(z.string()),
  help: z.string(),
  example: z.string(),
});

export const operationList = z.object({
  operations: z.array(z.object({ name: z.enum(operationNames), columns: z.array(operationColumn) })),
});

export const templatePath = z.object({ operation: z.enum(operationNames) });
export const templateQuery = z.object({ format: z.enum(['csv', 'xlsx']).optional() });

/** Only these lists, separated by commas. All lists where absent. */
export const referenceQuery = z.object({ lists: z.string().max(200).optional() });

export const referenceData = z.object({
  lists: z.partialRecord(z.enum(referenceTableNames), z.array(z.record(z.string(), z.string()))),
});
