// What a person sees of a running emulator, and what its porting simulator has.
import { text } from 'node:stream/consumers';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readToken } from '#cli/console/simulator-controls.ts';
import { emulatorTarget } from '#cli/target/aws-target.ts';
import type { EmulatorFile } from '#local/data-folder.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createCredentialsReader } from '#shared/pipeline/service.ts';
import { eachImport } from '#shared/store/imports.ts';
import { isObjectGone } from '#shared/store/object-keys.ts';
import { accountNumber } from '#shared/text/identity.ts';
import { isoTime } from '#shared/text/wording.ts';
import { serviceDump } from './day-truth.ts';

export type EmulatorClient = ReturnType<typeof connectTo>;

export function connectTo({ endpoints, environment, outputs }: EmulatorFile) {
  const { secretsManager, service: baseUrl = '', serviceAuth: authUrl = '' } = endpoints;
  const { s3, sqs, dynamodb, lambda } = endpoints;
  const target = emulatorTarget('emulator', { endpoints: { s3, sqs, dynamodb, lambda }, environment, outputs });
  const { inboxBucket, resultsBucket, ingestQueueUrl, submitQueueUrl, reportQueueUrl } = target.resources;
  const secrets = new SecretsManagerClient({
    endpoint: secretsManager,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const readSecret = createCredentialsReader({ client: secrets, secretId: outputs.SecretArn ?? '' });
  const accountId = accountNumber(outputs.PortingAccount ?? '');
  const command = () => ({ at: isoTime(Date.now()), by: 'bench' });
  return {
    upload: async (key: string, content: string): Promise<void> => {
      await target.s3.send(new PutObjectCommand({ Bucket: inboxBucket, Key: key, Body: content }));
    },
    /** Newest first. */
    latestImports: (limit: number): Promise<ImportItem[]> => target.imports.list({ limit }),
    allImports: (): Promise<ImportItem[]> => Array.fromAsync(eachImport(target.imports)),
    stop: ({ importId }: ImportItem): Promise<void> => target.command({ stop: importId, ...command() }),
    resume: ({ importId }: ImportItem): Promise<void> => target.command({ resume: importId, ...command() }),
    approve: ({ importId, planHash }: ImportItem): Promise<void> =>
      target.command({ approve: importId, plan: planHash, ...command() }),
    /** The text of results.csv; '' before it is written. */
    results: async ({ importId }: ImportItem): Promise<string> => {
      try {
        const ref = { bucket: resultsBucket, key: `imports/${importId}/results.csv` };
        return await text(await target.files.read(ref));
      } catch (error) {
        if (isObjectGone(error)) return '';
        throw error;
      }
    },
    /** Every port of the simulator. */
    ports: async () => {
      const token = await readToken({ baseUrl, authUrl, accountId, ...(await readSecret()) });
      const answer = await fetch(`${baseUrl}/_sandbox/dump`, { headers: { authorization: `Bearer ${token}` } });
      return serviceDump.parse(await answer.json()).ports;
    },
    deadLettered: async (): Promise<number> => {
      const queues = [ingestQueueUrl, submitQueueUrl, reportQueueUrl];
      const counts = await Promise.all(
        queues.map(async (url) => target.deadLetters.count(await target.deadLetters.of(url))),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
    close: (): void => target.close(),
  };
}
