// What the porting service holds after a run: its own word, against which the results table is compared.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createPortingClient, type PortingClient } from '#shared/porting/client.ts';
import type { PortDetail } from '#shared/porting/contract.ts';
import { scanPorts } from '#shared/porting/scan.ts';
import { createCredentialsReader } from '#shared/runtime/secret.ts';

export interface ServiceOfEngine {
  readonly endpoints: { readonly secretsManager: string };
  readonly outputs: Readonly<Record<string, string>>;
  readonly service?:
    | { readonly baseUrl: string; readonly authUrl: string; readonly accountId: number | string }
    | undefined;
}

/** Another client of the engine's account. */
export function clientOf(engine: ServiceOfEngine): PortingClient {
  if (engine.service === undefined) throw new Error('The engine has no porting service');
  const secrets = new SecretsManagerClient({ endpoint: engine.endpoints.secretsManager });
  const credentials = createCredentialsReader({ client: secrets, secretId: engine.outputs.SecretArn ?? '' });
  return createPortingClient({ ...engine.service, accountId: Number(engine.service.accountId), credentials });
}

/** Every port of the engine's account, opened. */
export async function portsAtTheService({ engine }: { engine: ServiceOfEngine }): Promise<PortDetail[]> {
  const client = clientOf(engine);
  const ids: string[] = [];
  await scanPorts(client, ({ id }) => {
    ids.push(id);
    return undefined;
  });
  const ports: PortDetail[] = [];
  for (const id of ids) ports.push(await client.port(id));
  return ports;
}

/** Numbers that stand in more than one port. */
export function numbersPortedTwice(ports: readonly PortDetail[]): string[] {
  const seen = new Set<string>();
  return ports
    .flatMap((port) => port.rows.map((row) => row.msisdn))
    .filter((msisdn) => seen.size === seen.add(msisdn).size);
}
