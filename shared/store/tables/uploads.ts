// Uploads of people that are not complete, and for a day those that are.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { getItem, putItem } from '#shared/store/table.ts';
import { uploadItemKey } from '#shared/text/stored-values.ts';

const count = z.int().check(z.positive());

export const uploadItem = z.object({
  uploadId: z.string(),
  /** The subject of the person who uploads. */
  actorId: z.string(),
  key: z.string(),
  fileName: z.string(),
  bytes: count,
  partBytes: count,
  s3UploadId: z.string(),
  /** Set once the upload is complete. */
  importId: z.optional(z.string()),
  /** In seconds since 1970: DynamoDB deletes the item then, and S3 the parts. */
  expiresAt: z.int(),
});
export type UploadItem = z.infer<typeof uploadItem>;

export interface Uploads {
  put(item: UploadItem): Promise<void>;
  get(uploadId: string): Promise<UploadItem | undefined>;
}

export const createUploads = (client: DynamoDBDocumentClient, name: string): Uploads => ({
  async put(item) {
    await putItem({ client, name }, { ...uploadItemKey(item.uploadId), ...item });
  },
  get: (uploadId) => getItem({ client, name }, uploadItem, uploadItemKey(uploadId)),
});
