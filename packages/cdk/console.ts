// The console as a construct.
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { setFeatureFlags } from '#infra/cdk-conventions.ts';
import { readConfiguration } from '#infra/config.ts';
import { addConsole } from '#infra/console.ts';
import { noteConcurrency } from '#infra/pipeline.ts';
import { requireOwnEnvironment, requireOwnStack, requireSamePlace } from './own-stack.ts';
import type { Pipeline } from './pipeline.ts';
import { resourcesOfPipeline } from './pipeline-resources.ts';
import { withoutUndefined } from './without-undefined.ts';

export interface CompanySignIn {
  /** 3 to 32 letters, digits and hyphens. */
  readonly name: string;
  /** What the provider calls the address of a person. @default - `email`, or for SAML the claim `emailaddress` */
  readonly emailClaim?: string;
  /** `true` for a verified address. @default - `email_verified`; for SAML, people are shown by their name there */
  readonly emailVerifiedClaim?: string;
  /** Whether people may also sign in with a password of the user pool. @default false */
  readonly passwords?: boolean;
}

export interface OidcSignIn extends CompanySignIn {
  readonly kind: 'oidc';
  /** `https://…` without a slash at the end. */
  readonly issuer: string;
  readonly clientId: string;
  /** The name of a secret in Secrets Manager: the client secret as plain text. */
  readonly clientSecretName: string;
}

export interface SamlSignIn extends CompanySignIn {
  readonly kind: 'saml';
  readonly metadataUrl: string;
}

export interface ConsoleProps {
  /** Whose imports the console shows: in another stack of the same app. */
  readonly pipeline: Pipeline;
  /** An own domain, such as porting.example.com; required in production. @default - an address of CloudFront */
  readonly domain?: string;
  /** The ARN of its certificate in us-east-1; required with `domain`. */
  readonly certificateArn?: string;
  /** The company's sign-in. @default - people have a password and a second factor in the user pool */
  readonly signIn?: OidcSignIn | SamlSignIn;
  /**
   * A sender that Amazon SES has verified in the region of the stack. Then a person without authenticator can get codes
   * by mail. @default - the sender of Cognito
   */
  readonly mailFrom?: string;
  /** The colour of the banner with the name of the environment. @default #d91515 */
  readonly colour?: string;
}

/**
 * The console: its page behind CloudFront, its API, and a user pool with the groups `viewer`, `uploader`, `approver`
 * and `operator`. Its stack must contain no other construct of this package. After a deployment, run the commands in
 * the outputs `UploadConsole`, `UploadConfig` and `RefreshConsole`.
 */
export class Console extends Construct {
  /** `https://…` of the page. */
  readonly url: string;
  /** The people who may sign in. */
  readonly userPool: IUserPool;

  /** @throws Error that names every invalid property */
  constructor(scope: Construct, id: string, props: ConsoleProps) {
    super(scope, id);
    requireOwnStack(this);
    setFeatureFlags(this);
    const { pipeline, ...console } = props;
    const { environment, settings, resources } = resourcesOfPipeline(pipeline);
    requireSamePlace(this, pipeline);
    const all = { ...settings, console: { enabled: true, ...withoutUndefined(console) } };
    const configuration = readConfiguration(environment, { environments: { [environment]: all } });
    requireOwnEnvironment(this, 'console', environment);
    const { url, userPool } = addConsole(this, {
      configuration,
      pipeline: resources.parts,
      alarmActions: resources.alarmActions,
      builtFiles: 'node_modules/simporter/dist/console',
    });
    noteConcurrency(this, configuration);
    this.url = url;
    this.userPool = userPool;
  }
}
