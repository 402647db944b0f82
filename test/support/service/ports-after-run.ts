// The ports of the porting service after a run, to compare the results table with.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { EmulatorFile } from '#local/data-folder.ts';
import { createCredentialsReader } from '#shared/pipeline/service.ts';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import { newScan, scanPorts } from '#shared/service/scan-port-list.ts';
import { accountNumber } from '#shared/text/identity.ts';

type RunningEmulator = Pick<EmulatorFile, 'endpoints' | 'outputs'>;

/** Another client of the emulator's account. */
export function clientOf({ endpoints, outputs }: RunningEmulator): PortingClient {
  const { secretsManager, service: baseUrl = '', serviceAuth: authUrl = '' } = endpoints;
  const secrets = new SecretsManagerClient({ endpoint: secretsManager });
  const credentials = createCredentialsReader({ client: secrets, secretId: outputs.SecretArn ?? '' });
  return createPortingClient({ baseUrl, authUrl, accountId: accountNumber(outputs.PortingAccount ?? ''), credentials });
}

/** Every port of the emulator's account, with its rows. */
export async function portsAtTheService({ emulator }: { emulator: RunningEmulator }): Promise<PortDetail[]> {
  const client = clientOf(emulator);
  const ids: string[] = [];
  await scanPorts(client, newScan(), ({ id }) => ids.push(id));
  const ports: PortDetail[] = [];
  for (const id of ids) ports.push(await client.port(id));
  return ports;
}

/** Numbers that are in more than one port. */
export function numbersPortedTwice(ports: readonly PortDetail[]): string[] {
  const seen = new Set<string>();
  return ports
    .flatMap((port) => port.rows.map((row) => row.msisdn))
    .filter((msisdn) => seen.size === seen.add(msisdn).size);
}
