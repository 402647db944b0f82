// What the sandbox holds: the table of functions/porting-service/store-dynamodb.ts, and the clients that may call. Nothing in
// it is real, so all of it goes with the stack.
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { keepId } from '../logical-id.ts';

export function sandboxTable(scope: Construct, id: string): TableV2 {
  const table = new TableV2(scope, id, {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return keepId(table);
}

/** An account of the service's catalogue, and the client it has there. */
export const firstClient = { clientId: 'northwind-api', accountId: 1001 } as const;

/**
 * A secret with one client, whose own secret is made up at the first deploy. Its text is also what the pipeline's credentials
 * look like, so it can be copied there as it is; a list of clients may be put in its place.
 */
export function sandboxClients(scope: Construct, id: string, key: IKey): CfnSecret {
  const secret = new CfnSecret(scope, id, {
    description: 'Who may call the sandbox: {"clientId", "clientSecret", "accountId"}, or a list of them',
    kmsKeyId: key.keyArn,
    generateSecretString: {
      secretStringTemplate: JSON.stringify(firstClient),
      generateStringKey: 'clientSecret',
      passwordLength: 40,
      excludePunctuation: true,
    },
  });
  secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
  acknowledge(secret, 'AwsSolutions-SMG4', 'A rehearsal holds nothing that a new secret every month would protect.');
  return secret;
}
