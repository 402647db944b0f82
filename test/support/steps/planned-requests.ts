// Plans requests of any operation from given rows, as ingest does, for tests of results.
import { hash } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { SubmitMessage } from '#shared/request/messages.ts';
import type { PlannedRow } from '#shared/request/request.ts';
import { type OperationName, requestToken } from '#shared/text/identity.ts';
import { importItemOf, type startRig } from './submit-and-sync.ts';
import { testSettings } from './test-pipeline.ts';

export type Rig = Awaited<ReturnType<typeof startRig>>;

export interface RequestSpec {
  readonly importId: string;
  readonly operation: OperationName;
  readonly head: unknown;
  readonly rows: readonly PlannedRow[];
}

/** One request in its import. Returns its message. */
export async function planRequest(rig: Rig, { importId, operation, head, rows }: RequestSpec): Promise<SubmitMessage> {
  const key = `imports/${importId}/plan.ndjson`;
  const request = 1;
  const token = requestToken(importId, request);
  const text = JSON.stringify({ importId, request, operation, token, label: operation, head, rows });
  const plan = { key, start: 0, end: Buffer.byteLength(text), digest: hash('sha256', text) };
  await rig.services.s3.send(new PutObjectCommand({ Bucket: rig.services.buckets.work, Key: key, Body: text }));
  const changedAt = new Date(rig.service.now()).toISOString();
  const { account } = testSettings;
  const about = {
    account,
    importId,
    request,
    operation,
    label: operation,
    token,
    rowCount: rows.length,
    plan,
    changedAt,
  };
  await rig.imports.begin(importItemOf(importId, { operation }));
  await rig.requests.plan([{ ...about, state: 'planned', attempt: 0, revision: 0, expiresAt: 1_850_000_000 }]);
  return { importId, request, plan };
}
