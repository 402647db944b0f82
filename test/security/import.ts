// Drops a file as a customer does, and looks at what became of it.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Engine } from '#local/engine.ts';
import { documentClient } from '#shared/aws/clients.ts';
import { createImports } from '#shared/aws/imports.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { connectionTo } from '../support/local-engine.ts';
import { until } from '../support/pipeline-process.ts';

const importsOf = ({ endpoints, outputs }: Engine) =>
  createImports(documentClient(new DynamoDBClient(connectionTo(endpoints.dynamodb))), outputs.ResultsTable ?? '');

/** Answers the id of the import. */
export async function dropFile(engine: Engine, operation: string, text: string): Promise<string> {
  const s3 = new S3Client({ ...connectionTo(engine.endpoints.s3), forcePathStyle: true });
  const key = `${operation}/marked.csv`;
  await s3.send(new PutObjectCommand({ Bucket: engine.outputs.InboxBucket, Key: key, Body: text }));
  const account = Number(engine.outputs.ServiceAccountId);
  return until(`an import of ${key}`, async () => {
    const listed = await importsOf(engine).list(account);
    return listed.find((item) => item.key === key)?.importId;
  });
}

export async function importOf(engine: Engine, importId: string): Promise<ImportItem> {
  const item = await importsOf(engine).get(importId);
  if (item === undefined) throw new Error(`there is no import ${importId}`);
  return item;
}
