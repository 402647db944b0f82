// The data of the porting simulator: its table (simulator/store/dynamodb-store.ts) and the clients that may call it.
// None of it is real, so all of it is deleted with the stack.
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { fixLogicalId } from '../fixed-logical-id.ts';

export function simulatorTable(scope: Construct, id: string): TableV2 {
  const table = new TableV2(scope, id, {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return fixLogicalId(table);
}

/** An account of the simulator's catalogue, and its client. */
export const firstClient = { clientId: 'northwind-api', accountId: 1001 } as const;

/**
 * A secret with one client, whose client secret is generated at the first deployment. The value has the format of the
 * pipeline's credentials, so you can copy it. You can replace it by a list of clients.
 */
export function simulatorClients(scope: Construct, id: string, key: IKey): CfnSecret {
  const secret = new CfnSecret(scope, id, {
    description: 'Clients of the porting simulator: {"clientId", "clientSecret", "accountId"}, or a list of them',
    kmsKeyId: key.keyArn,
    generateSecretString: {
      secretStringTemplate: JSON.stringify(firstClient),
      generateStringKey: 'clientSecret',
      passwordLength: 40,
      excludePunctuation: true,
    },
  });
  secret.applyRemovalPolicy(RemovalPolicy.DESTROY);
  acknowledge(secret, 'AwsSolutions-SMG4', 'The secret protects simulated data only.');
  return secret;
}
