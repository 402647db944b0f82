// The people who use the console: a user pool with one group for each role, and a company's own sign-in (OIDC or SAML).
import { Duration, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import {
  AccountRecovery,
  type CfnUserPoolClient,
  CfnUserPoolGroup,
  CfnUserPoolIdentityProvider,
  ClientAttributes,
  FeaturePlan,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolEmail,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { roles } from '#shared/api/agreed-names.ts';
import { acknowledge } from '../acknowledge.ts';
import { fixLogicalId } from '../fixed-logical-id.ts';
import type { Configuration } from '../settings.ts';

const roleTexts: Readonly<Record<(typeof roles)[number], string>> = {
  viewer: 'Sees imports, numbers and reports',
  uploader: 'Uploads and corrects files',
  approver: 'Approves, reschedules and cancels',
  operator: 'Does everything, and resolves requests',
};

export interface ConsoleUsersProps {
  /** The first part of the sign-in address: unique in the region. */
  readonly domainPrefix: string;
  /** `https://…` of the console. */
  readonly consoleUrl: string;
  readonly production: boolean;
  readonly settings: Pick<Configuration['console'], 'signIn' | 'mailFrom'>;
}

type SignIn = NonNullable<ConsoleUsersProps['settings']['signIn']>;

export class ConsoleUsers extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient;

  constructor(scope: Construct, id: string, { domainPrefix, consoleUrl, production, settings }: ConsoleUsersProps) {
    super(scope, id);
    const { signIn, mailFrom } = settings;
    this.pool = new UserPool(this, 'Pool', {
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      // This cannot be changed after the pool is created. A person who was invited as Sam@ can sign in as sam@.
      signInCaseSensitive: false,
      autoVerify: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      // Cognito cannot reset an authenticator: a person who lost it gets codes by mail, or a new account.
      mfaSecondFactor: { sms: false, otp: true, email: mailFrom !== undefined },
      ...(mailFrom && { email: UserPoolEmail.withSES({ fromEmail: mailFrom, sesRegion: Stack.of(this).region }) }),
      passwordPolicy: {
        minLength: 14,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      deletionProtection: production,
      removalPolicy: production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    const reason = 'Threat protection needs the Plus plan, which bills every person; a second factor is required here.';
    for (const rule of ['AwsSolutions-COG3', 'AwsSolutions-COG8']) acknowledge(this.pool, rule, reason);
    // People and their groups are kept when a construct is renamed.
    fixLogicalId(this.pool);
    for (const [precedence, role] of [...roles].reverse().entries()) {
      new CfnUserPoolGroup(this, `Group-${role}`, {
        userPoolId: this.pool.userPoolId,
        groupName: role,
        description: roleTexts[role],
        precedence,
      });
    }
    this.pool.addDomain('Domain', { cognitoDomain: { domainPrefix } });
    this.client = this.createClient(consoleUrl, signIn);
  }

  private createClient(consoleUrl: string, signIn: SignIn | undefined): UserPoolClient {
    const provider = signIn && this.addProvider(signIn);
    const { COGNITO, custom } = UserPoolClientIdentityProvider;
    const client = new UserPoolClient(this, 'Client', {
      userPool: this.pool,
      // A page cannot keep a secret: the code is bound to the page by PKCE.
      generateSecret: false,
      preventUserExistenceErrors: true,
      supportedIdentityProviders: [
        ...(signIn ? [custom(signIn.name)] : []),
        ...(signIn && !signIn.passwords ? [] : [COGNITO]),
      ],
      // Without a list, people may change every attribute, and an empty list counts as none. Cognito writes the address
      // that a company states with this permission; otherwise it is one that nothing reads.
      writeAttributes: new ClientAttributes().withStandardAttributes(signIn ? { email: true } : { locale: true }),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [`${consoleUrl}/`],
        logoutUrls: [`${consoleUrl}/`],
      },
      idTokenValidity: Duration.hours(1),
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.hours(12),
    });
    const resource = client.node.defaultChild as CfnUserPoolClient;
    // People sign in by the pages of Cognito only: the default also accepts passwords at its API.
    resource.explicitAuthFlows = ['ALLOW_REFRESH_TOKEN_AUTH'];
    if (provider) resource.addResourceDependency(provider);
    return client;
  }

  private addProvider(signIn: SignIn): CfnUserPoolIdentityProvider {
    const { emailClaim, emailVerifiedClaim } = signIn;
    return new CfnUserPoolIdentityProvider(this, 'Provider', {
      userPoolId: this.pool.userPoolId,
      providerName: signIn.name,
      providerType: signIn.kind.toUpperCase(),
      providerDetails: detailsOf(signIn),
      attributeMapping: { email: emailClaim, ...(emailVerifiedClaim && { email_verified: emailVerifiedClaim }) },
    });
  }
}

const detailsOf = (signIn: SignIn): Record<string, string> =>
  signIn.kind === 'saml'
    ? { MetadataURL: signIn.metadataUrl, IDPSignout: 'false' }
    : {
        oidc_issuer: signIn.issuer,
        client_id: signIn.clientId,
        // CloudFormation reads it during the deployment: neither the template nor a log contains it.
        client_secret: SecretValue.secretsManager(signIn.clientSecretName).unsafeUnwrap(),
        authorize_scopes: 'openid email',
        attributes_request_method: 'GET',
      };
