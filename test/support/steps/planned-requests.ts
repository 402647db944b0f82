// Plans requests of any operation from given rows, as ingest does, for tests of results.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { SubmitMessage } from '#shared/request/messages.ts';
import type { PlannedRow } from '#shared/request/request.ts';
import { type OperationName, requestToken } from '#shared/text/identity.ts';
import type { startRig } from './submit-and-sync.ts';

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
  const plan = { key, start: 0, end: Buffer.byteLength(text) };
  await rig.services.s3.send(new PutObjectCommand({ Bucket: rig.services.buckets.work, Key: key, Body: text }));
  const changedAt = new Date(rig.service.now()).toISOString();
  const rowCount = rows.length;
  await rig.requests.plan([
    { importId, request, operation, state: 'planned', label: operation, token, rowCount, plan, attempt: 0, changedAt },
  ]);
  return { importId, request, plan };
}
