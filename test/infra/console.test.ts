// The stack of the console: off by default, and with one flag a page, an API and users that pass every check.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildApp } from '#infra/app.ts';
import { roles } from '#shared/api/agreed-names.ts';
import { violationsOf } from '../support/infra/checks/all-checks.ts';
import { statementsOf } from '../support/infra/checks/permissions.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import {
  consoleSettings,
  contextOf,
  type EnvironmentSettings,
  synthesise,
  synthesiseConsole,
} from '../support/infra/template.ts';

const template = synthesiseConsole('prod');
const all = (type: string) => resourcesOf(template, type).map(([, properties]) => properties);
const withConsole = (console: object) =>
  synthesiseConsole('prod', { console: { ...consoleSettings('prod').console, ...console } });
const statementsOfFunction = (name: string) => statementsOf(template).filter(({ role }) => role.startsWith(name));

describe('the console stack', () => {
  test('has no violation, and exists only with its flag', () => {
    expect(violationsOf(template)).toEqual([]);
    const app = buildApp({ stage: 'prod', context: contextOf('prod') });
    expect(app.node.children.map(({ node }) => node.id)).not.toContain('simporter-console-prod');
  });

  test('has a private bucket that only CloudFront reads', () => {
    const [bucket] = all('AWS::S3::Bucket');
    expect(bucket?.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(all('AWS::CloudFront::OriginAccessControl')).toHaveLength(1);
    const allowed = all('AWS::S3::BucketPolicy').flatMap(({ PolicyDocument }) =>
      PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow'),
    );
    expect(allowed.map(({ Principal, Action }) => [Principal, Action])).toEqual([
      [{ Service: 'cloudfront.amazonaws.com' }, 's3:GetObject'],
    ]);
  });

  test('sends security headers with a policy without inline code and foreign origins', () => {
    const [{ ResponseHeadersPolicyConfig: policy } = {}] = all('AWS::CloudFront::ResponseHeadersPolicy');
    const text = JSON.stringify(policy.SecurityHeadersConfig.ContentSecurityPolicy);
    expect(text).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(text).not.toMatch(/unsafe|\*/);
    expect(policy.SecurityHeadersConfig.StrictTransportSecurity.AccessControlMaxAgeSec).toBe(31_536_000);
    expect(policy.SecurityHeadersConfig.FrameOptions.FrameOption).toBe('DENY');
  });

  test('lets no request reach a function without a verified token', () => {
    const routes = all('AWS::ApiGatewayV2::Route');
    expect(routes.map(({ RouteKey }) => RouteKey).sort()).toEqual([
      'DELETE /api/v1/{proxy+}',
      'GET /api/v1/imports/{importId}/drafts/{draftId}',
      'GET /api/v1/imports/{importId}/preview',
      'GET /api/v1/uploads/{uploadId}',
      'GET /api/v1/{proxy+}',
      'PATCH /api/v1/{proxy+}',
      'POST /api/v1/{proxy+}',
      'PUT /api/v1/{proxy+}',
    ]);
    for (const { AuthorizationType } of routes) expect(AuthorizationType).toBe('JWT');
    expect(all('AWS::ApiGatewayV2::Stage')[0]?.AccessLogSettings.Format).not.toMatch(/header|querystring|path/i);
  });

  test('has a group for each role, and people who cannot sign themselves up', () => {
    expect(
      all('AWS::Cognito::UserPoolGroup')
        .map(({ GroupName }) => GroupName)
        .sort(),
    ).toEqual([...roles].sort());
    const [pool] = all('AWS::Cognito::UserPool');
    expect(pool?.AdminCreateUserConfig).toEqual({ AllowAdminCreateUserOnly: true });
    expect(pool?.MfaConfiguration).toBe('ON');
    expect(all('AWS::Cognito::UserPoolClient')[0]).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
    });
  });

  test('people sign in with any capitals, by the pages of Cognito only, and change no attribute that anybody reads', () => {
    expect(all('AWS::Cognito::UserPool')[0]?.UsernameConfiguration).toEqual({ CaseSensitive: false });
    expect(all('AWS::Cognito::UserPoolClient')[0]).toMatchObject({
      ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
      AllowedOAuthScopes: ['openid', 'email'],
      SupportedIdentityProviders: ['COGNITO'],
      WriteAttributes: ['locale'],
    });
  });

  test('a company signs its people in by OIDC or SAML, in place of passwords or beside them', () => {
    const signIn = { name: 'Company', kind: 'oidc', issuer: 'https://id.example.com', clientId: 'simporter' };
    const oidc = withConsole({ signIn: { ...signIn, clientSecretName: 'simporter/oidc' } });
    expect(violationsOf(oidc)).toEqual([]);
    const [[, provider] = []] = resourcesOf(oidc, 'AWS::Cognito::UserPoolIdentityProvider');
    expect(provider).toMatchObject({
      ProviderType: 'OIDC',
      AttributeMapping: { email: 'email', email_verified: 'email_verified' },
    });
    expect(JSON.stringify(provider?.ProviderDetails.client_secret)).toContain('{{resolve:secretsmanager:');
    const [[, client] = []] = resourcesOf(oidc, 'AWS::Cognito::UserPoolClient');
    expect(client).toMatchObject({ SupportedIdentityProviders: ['Company'], WriteAttributes: ['email'] });

    const metadataUrl = 'https://id.example.com/metadata.xml';
    const saml = withConsole({ signIn: { name: 'Company', kind: 'saml', metadataUrl, passwords: true } });
    expect(resourcesOf(saml, 'AWS::Cognito::UserPoolIdentityProvider')[0]?.[1]).toMatchObject({
      ProviderType: 'SAML',
      ProviderDetails: { MetadataURL: metadataUrl },
    });
    expect(resourcesOf(saml, 'AWS::Cognito::UserPoolClient')[0]?.[1].SupportedIdentityProviders).toEqual([
      'Company',
      'COGNITO',
    ]);
  });

  test('a person without authenticator gets codes by mail where the environment has a sender', () => {
    expect(all('AWS::Cognito::UserPool')[0]?.EnabledMfas).toEqual(['SOFTWARE_TOKEN_MFA']);
    const withMail = withConsole({ mailFrom: 'it@example.com' });
    const [[, pool] = []] = resourcesOf(withMail, 'AWS::Cognito::UserPool');
    expect(pool?.EnabledMfas).toEqual(['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']);
    expect(pool?.EmailConfiguration).toMatchObject({ EmailSendingAccount: 'DEVELOPER' });
  });

  test('uses only what the stack of the pipeline exports also when it is deployed without the console', () => {
    const exportsOf = (settings: EnvironmentSettings) =>
      Object.entries(synthesise('dev', settings).Outputs).filter(([, output]) => 'Export' in output);
    expect(exportsOf(consoleSettings('dev'))).toHaveLength(3);
    expect(exportsOf({})).toEqual(exportsOf(consoleSettings('dev')));
  });

  test('gives the function that reads no means to write but who downloads, and the one that writes no means to change ports', () => {
    const read = statementsOfFunction('ApiRead').filter(({ actions }) =>
      actions.some((action) => /Put|Update|Delete|Send|Invoke|Secret/.test(action)),
    );
    expect(read.map(({ actions, conditions }) => [...actions, conditions])).toEqual([
      expect.arrayContaining(['logs:PutLogEvents', undefined]),
      ['dynamodb:PutItem', { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['download#*'] } }],
    ]);
    const writes = statementsOfFunction('ApiWrite').filter(({ actions }) => actions.includes('dynamodb:PutItem'));
    expect(writes.map(({ conditions }) => conditions)).toEqual([
      {
        'ForAllValues:StringLike': {
          'dynamodb:LeadingKeys': [
            'audit#*',
            'draft#*',
            'saved#*',
            'resolution#*',
            'upload#*',
            'idempotency#*',
            'service#*',
          ],
        },
      },
    ]);
    const puts = statementsOfFunction('ApiWrite').filter(({ actions }) => actions.includes('s3:PutObject'));
    const written = puts.flatMap(({ resources }) => resources.map((arn) => /(\/[^"]*\*[^"]*)("|$)/.exec(arn)?.[1]));
    expect(written).toEqual(['/imports/*/draft-*.json', '/plan/*']);
  });

  test('has a section of the runbook for each of its alarms', () => {
    const runbook = readFileSync(new URL('../../docs/guides/runbook.md', import.meta.url), 'utf8');
    const alarms = all('AWS::CloudWatch::Alarm');
    expect(alarms.map(({ AlarmName }) => AlarmName)).toEqual(
      expect.arrayContaining(['simporter-prod-api-errors', 'simporter-prod-api-latency']),
    );
    for (const { AlarmDescription } of alarms) {
      const [, section = ''] = /runbook\.md#([\w-]+)/.exec(AlarmDescription) ?? [];
      const titles = runbook.match(/^### .*$/gm)?.map((title) => title.slice(4).toLowerCase().replaceAll(' ', '-'));
      expect(titles).toContain(section);
    }
  });

  test('saves queries that read the logs of both functions', () => {
    const queries = all('AWS::Logs::QueryDefinition');
    expect(queries.map(({ Name }) => Name)).toEqual([
      'simporter/prod/Errors of the API',
      'simporter/prod/Who read an import',
      'simporter/prod/Longest invocations of the API and their memory',
    ]);
    const functions = all('AWS::Lambda::Function');
    for (const { LogGroupNames } of queries) expect(LogGroupNames).toHaveLength(functions.length);
    // functions/api/http/app.ts logs a request that failed with its route.
    expect(queries[0]?.QueryString).toMatch(/\bmethod, route, error\.name, error\.message\b/);
  });

  test('its files are uploaded so that browsers ask for them again: an invalidation reaches CloudFront only', () => {
    const { UploadConsole, UploadConfig } = template.Outputs;
    for (const command of [UploadConsole, UploadConfig]) {
      expect(JSON.stringify(command?.Value)).toContain('--cache-control no-cache');
    }
  });

  test('keeps the files of earlier versions for open tabs, and browsers keep those whose names change', () => {
    const command = JSON.stringify(template.Outputs.UploadConsole?.Value);
    expect(command).not.toContain('--delete');
    expect(command).toMatch(
      /build\/console\/assets .*immutable.* && aws s3 sync build\/console .*--exclude 'assets\/\*'/,
    );
  });

  test('CloudFront repeats no error, and its names in the account contain the region', () => {
    const [{ DistributionConfig } = {}] = all('AWS::CloudFront::Distribution');
    expect(DistributionConfig.CustomErrorResponses).toEqual(
      [500, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
    const [{ ResponseHeadersPolicyConfig } = {}] = all('AWS::CloudFront::ResponseHeadersPolicy');
    const [{ OriginAccessControlConfig } = {}] = all('AWS::CloudFront::OriginAccessControl');
    for (const { Name } of [ResponseHeadersPolicyConfig, OriginAccessControlConfig]) {
      expect(Name).toEqual({ 'Fn::Join': ['', ['simporter-prod-', { Ref: 'AWS::Region' }]] });
    }
  });

  test('in production has an own domain with its certificate and TLS 1.2; neither is without the other', () => {
    const { domain, certificateArn } = consoleSettings('prod').console as Record<string, unknown>;
    expect(all('AWS::CloudFront::Distribution')[0]?.DistributionConfig).toMatchObject({
      Aliases: [domain],
      ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    expect(() => synthesiseConsole('dev', { console: { enabled: true, domain } })).toThrow('console.certificateArn');
    // CloudFront accepts TLS 1.0 at its own addresses, whatever the template states.
    const onlyConsole = { console: { enabled: true } };
    expect(() => synthesiseConsole('prod', onlyConsole)).toThrow('a production console needs an own domain');
    expect(resourcesOf(synthesiseConsole('dev'), 'AWS::CloudFront::Distribution')).toHaveLength(1);
  });
});

describe('nobody uses up the concurrency of the account through the API', () => {
  const pipeline = synthesise('prod');
  const reserved = [
    ...resourcesOf(template, 'AWS::Lambda::Function'),
    ...resourcesOf(pipeline, 'AWS::Lambda::Function'),
  ]
    .map(([, properties]) => properties.ReservedConcurrentExecutions)
    .filter((one) => one !== undefined);

  test('it is reserved for both functions of the API, submit and sync', () => {
    expect(reserved.sort((one, other) => one - other)).toEqual([1, 10, 10, 25]);
  });

  test('each route of a write and the preview have a limit far below that of all requests', () => {
    const [stage] = all('AWS::ApiGatewayV2::Stage');
    const limited = Object.keys(stage?.RouteSettings ?? {}).sort();
    const writing = all('AWS::ApiGatewayV2::Route').map(({ RouteKey }) => RouteKey);
    expect(limited).toEqual(writing.filter((key) => key !== 'GET /api/v1/{proxy+}').sort());
    for (const { ThrottlingRateLimit } of Object.values(stage?.RouteSettings ?? {}) as {
      ThrottlingRateLimit: number;
    }[]) {
      expect(ThrottlingRateLimit).toBeLessThanOrEqual(50);
    }
  });
});
