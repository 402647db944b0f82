// The people who use the console: a user pool with one group for each role. A company's own sign-in (OIDC or SAML) is
// added to it as an identity provider (docs/deploy.md).
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnUserPoolGroup,
  FeaturePlan,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { roles } from '#shared/api/agreed-names.ts';
import { acknowledge } from '../acknowledge.ts';
import { fixLogicalId } from '../fixed-logical-id.ts';

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
}

export class ConsoleUsers extends Construct {
  readonly pool: UserPool;
  readonly client: UserPoolClient;

  constructor(scope: Construct, id: string, { domainPrefix, consoleUrl, production }: ConsoleUsersProps) {
    super(scope, id);
    this.pool = new UserPool(this, 'Pool', {
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      autoVerify: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { sms: false, otp: true },
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
    this.client = new UserPoolClient(this, 'Client', {
      userPool: this.pool,
      // A page cannot keep a secret: the code is bound to the page by PKCE.
      generateSecret: false,
      authFlows: {},
      preventUserExistenceErrors: true,
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
  }
}
