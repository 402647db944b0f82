// The secret for the porting service's credentials. The account manager issues them (spec, Authentication), so a person
// stores them after the first deployment: the output SetCredentials is the command.
import type { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

export interface ServiceCredentialsProps {
  readonly key: IKey;
  readonly removalPolicy: RemovalPolicy;
  /** @default - CloudFormation generates a name */
  readonly name: string | undefined;
}

/** The placeholder never changes, so a later deployment does not overwrite the stored credentials. */
const placeholder = JSON.stringify({ clientId: 'not-set-yet', clientSecret: 'not-set-yet' });

export function serviceCredentials(scope: Construct, id: string, props: ServiceCredentialsProps): CfnSecret {
  const { key, removalPolicy, name } = props;
  const secret = new CfnSecret(scope, id, {
    description: 'Client of the SIM Management and Porting Service: {"clientId", "clientSecret"}',
    ...(name ? { name } : {}),
    kmsKeyId: key.keyArn,
    secretString: placeholder,
  });
  secret.overrideLogicalId(id);
  secret.applyRemovalPolicy(removalPolicy);
  acknowledge(secret, 'AwsSolutions-SMG4', 'Only the account manager can issue credentials: the runbook rotates them.');
  return secret;
}
