// Uploads a file as a user does, and reads its results.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Emulator } from '#local/emulator-options.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createImports } from '#shared/store/imports.ts';
import { connectionTo } from '../support/emulator/emulator.ts';
import { until } from '../support/emulator/start-process.ts';

const importsOf = ({ endpoints, environment, outputs }: Emulator) => {
  const table = documentClient(new DynamoDBClient(connectionTo(endpoints.dynamodb, environment)));
  return createImports(table, outputs.ResultsTable ?? '');
};

/** Returns the id of the import. */
export async function dropFile(emulator: Emulator, operation: string, text: string): Promise<string> {
  const s3 = new S3Client({ ...connectionTo(emulator.endpoints.s3, emulator.environment), forcePathStyle: true });
  const key = `${operation}/marked.csv`;
  await s3.send(new PutObjectCommand({ Bucket: emulator.outputs.InboxBucket, Key: key, Body: text }));
  return until(`an import of ${key}`, async () => {
    const listed = await importsOf(emulator).list();
    return listed.find((item) => item.key === key)?.importId;
  });
}

export async function importOf(emulator: Emulator, importId: string): Promise<ImportItem> {
  const item = await importsOf(emulator).get(importId);
  if (item === undefined) throw new Error(`there is no import ${importId}`);
  return item;
}
