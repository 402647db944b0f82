// The porting service's credentials: a place for them. They are issued by the account manager (spec, Authentication), so
// they are put in by hand after the first deploy; the output SetCredentials says how.
import { RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

export interface ServiceCredentialsProps {
  readonly key: IKey;
  readonly protect: boolean;
  /** @default - CloudFormation names it */
  readonly name: string | undefined;
}

/** The placeholder never changes, so a later deploy never writes over what was put in. */
const placeholder = JSON.stringify({ clientId: 'not-set-yet', clientSecret: 'not-set-yet' });

export function serviceCredentials(scope: Construct, id: string, props: ServiceCredentialsProps): CfnSecret {
  const { key, protect, name } = props;
  const secret = new CfnSecret(scope, id, {
    description: 'Client of the SIM Management and Porting Service: {"clientId", "clientSecret"}',
    ...(name ? { name } : {}),
    kmsKeyId: key.keyArn,
    secretString: placeholder,
  });
  secret.applyRemovalPolicy(protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);
  acknowledge(
    secret,
    'AwsSolutions-SMG4',
    'Only the account manager can issue new credentials; the runbook rotates them.',
  );
  return secret;
}
