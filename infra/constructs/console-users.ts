// The people who use the console: a user pool with one group for each role, and a company's own sign-in (OIDC or SAML).
import { Duration, SecretValue, Stack } from 'aws-cdk-lib';
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
import { acknowledge, fixLogicalId, removalOfProtectedData } from '../cdk-conventions.ts';
import { isProtected } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import { copySecret } from './copy-secret.ts';

const roleTexts: Readonly<Record<(typeof roles)[number], string>> = {
  viewer: 'Sees imports, numbers and reports',
  uploader: 'Uploads and corrects files',
  approver: 'Approves, reschedules and cancels',
  operator: 'Does everything, and resolves requests',
};

interface ConsoleUsersProps {
  /** The first part of the sign-in address: unique in the region. */
  readonly domainPrefix: string;
  /** `https://…` of the console. */
  readonly consoleUrl: string;
  readonly configuration: Configuration;
}

type SignIn = NonNullable<Configuration['console']['signIn']>;

export class ConsoleUsers extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient;
  /** The command that writes a new client secret of the company's sign-in; undefined where it has none. */
  readonly updateSignIn: string | undefined;

  constructor(scope: Construct, id: string, { domainPrefix, consoleUrl, configuration }: ConsoleUsersProps) {
    super(scope, id);
    const { signIn, mailFrom } = configuration.console;
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
      email: mailFrom
        ? UserPoolEmail.withSES({ fromEmail: mailFrom, sesRegion: Stack.of(this).region })
        : UserPoolEmail.withCognito(),
      passwordPolicy: {
        minLength: 14,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      deletionProtection: isProtected(configuration),
      removalPolicy: removalOfProtectedData(configuration),
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
    this.updateSignIn = signIn?.kind === 'oidc' ? updateCommand(this.pool.userPoolId, signIn) : undefined;
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
    return new CfnUserPoolIdentityProvider(this, 'Provider', {
      userPoolId: this.pool.userPoolId,
      providerName: signIn.name,
      providerType: signIn.kind.toUpperCase(),
      providerDetails: detailsOf(signIn),
      attributeMapping: mappingOf(signIn),
    });
  }
}

const mappingOf = ({ emailClaim, emailVerifiedClaim }: SignIn): Record<string, string> => ({
  email: emailClaim,
  ...(emailVerifiedClaim && { email_verified: emailVerifiedClaim }),
});

type OidcSignIn = Extract<SignIn, { readonly kind: 'oidc' }>;

const detailsOf = (signIn: SignIn): Record<string, string> =>
  signIn.kind === 'saml'
    ? { MetadataURL: signIn.metadataUrl, IDPSignout: 'false' }
    : {
        ...oidcDetails(signIn),
        // CloudFormation reads it during the deployment: neither the template nor a log contains it.
        client_secret: SecretValue.secretsManager(signIn.clientSecretName).unsafeUnwrap(),
      };

const oidcDetails = ({ issuer, clientId }: OidcSignIn) => ({
  oidc_issuer: issuer,
  client_id: clientId,
  authorize_scopes: 'openid email',
  attributes_request_method: 'GET',
});

/** Cognito replaces all details with those of the command. */
const updateCommand = (UserPoolId: string, signIn: OidcSignIn): string =>
  copySecret({
    secretName: signIn.clientSecretName,
    holds: 'text',
    command: 'cognito-idp update-identity-provider',
    input: {
      UserPoolId,
      ProviderName: signIn.name,
      ProviderDetails: oidcDetails(signIn),
      AttributeMapping: mappingOf(signIn),
    },
    to: '.ProviderDetails.client_secret',
    from: '.',
  });
