// Whether a person has stopped an import, read without the rest of it.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { importStop } from '#shared/items/import-stop.ts';
import { getItem } from '#shared/store/table.ts';
import { importKey } from '#shared/text/stored-values.ts';

const stoppable = z.object({ stop: z.optional(importStop) });

/** Strongly consistent. undefined: there is no such import. */
export const readImportStop = (client: DynamoDBDocumentClient, name: string, importId: string) =>
  getItem({ client, name }, stoppable, importKey(importId));
