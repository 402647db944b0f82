// The pages for operators name outputs, saved queries, settings and permissions that exist.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandNames } from '#cli/context/next-command.ts';
import { contextNames, readConfiguration } from '#infra/config.ts';
import { environments } from '#infra/derived-settings.ts';
import { settingsSchema } from '#infra/settings.ts';
import { readingKey, simListKey, uploadKey } from '#shared/store/object-keys.ts';
import { someImport } from '../support/cli/imports.ts';
import { globFiles } from '../support/glob-files.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import { synthesise, synthesiseConsole } from '../support/infra/template.ts';

const read = (path: string): string => readFileSync(`docs/${path}.md`, 'utf8');
const [deploy, runbook, permissions] = [read('guides/deploy'), read('guides/runbook'), read('reference/permissions')];
const [settings, console] = [read('reference/settings'), read('guides/console-on-aws')];
const templates = [synthesise('prod'), synthesiseConsole('prod')];

const matchesOf = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([, match = '']) => match.replaceAll(/\s+/g, ' ')));

test('names in angle brackets are outputs of the stacks', () => {
  const outputs = new Set(templates.flatMap(({ Outputs }) => Object.keys(Outputs)));
  const others = ['guides/recovery', 'guides/table', 'start/engineer'].map(read);
  const pages = [deploy, runbook, permissions, console, readFileSync('README.md', 'utf8'), ...others];
  const named = matchesOf(pages.join(''), /<((?:[A-Z][a-z]+){2,})>/g);
  expect(named.size).toBeGreaterThan(8);
  expect([...named].filter((name) => !outputs.has(name))).toEqual([]);
});

test('every resource that a page asks CloudFormation for is in a stack', () => {
  const resources = new Set(templates.flatMap(({ Resources }) => Object.keys(Resources)));
  const pages = globFiles('docs/**/*.md').map((path) => readFileSync(path, 'utf8'));
  const named = matchesOf(pages.join(''), /--logical-resource-id\s+(\w+)/g);
  expect(named.size).toBeGreaterThan(0);
  expect([...named].filter((name) => !resources.has(name))).toEqual([]);
});

test('every saved query is one that the runbook uses', () => {
  const saved = templates
    .flatMap((template) => resourcesOf(template, 'AWS::Logs::QueryDefinition'))
    .map(([, { Name }]) => Name.replace('simporter/prod/', ''));
  const named = matchesOf(runbook, /\*([A-Z][^*]+)\*(?!\*)/g);
  expect(saved.filter((name) => !named.has(name))).toEqual([]);
});

const rows = [...settings.matchAll(/^\| (`[^|]+`) \| ([^|]*)\|/gm)].map(([, names = '', value = '']) => ({
  names: [...matchesOf(names, /`([\w.]+)`/g)],
  value: value.replaceAll(/[` ]/g, ''),
}));

test('no page passes a setting to a command: the next command would be without it', () => {
  const pages = globFiles(['README.md', 'docs/**/*.md']).map((path) => readFileSync(path, 'utf8'));
  const passed = pages.flatMap((page) => [...matchesOf(page, /--context[ =](\w+)=/g)]);
  const [, ...ofDeployments] = contextNames;
  expect([...new Set(passed)].sort()).toEqual([...ofDeployments, 'stage'].sort());
});

test('settings.md lists every setting, with its default', () => {
  const defaults = environments.prod;
  const ofFunctions = [
    'memoryMegabytes',
    'timeoutSeconds',
    'concurrency',
    'batchSize',
    'windowSeconds',
    'retryAttempts',
  ];
  const names = Object.entries(settingsSchema.shape).flatMap(([group, schema]) => {
    const inner = 'unwrap' in schema ? schema.unwrap() : schema;
    return 'shape' in inner ? Object.keys(inner.shape).map((name) => `${group}.${name}`) : [group];
  });
  const wanted = names.filter((name) => name !== 'stage' && !ofFunctions.includes(name.split('.')[1] ?? ''));
  expect(rows.flatMap((row) => row.names).sort()).toEqual(wanted.sort());
  for (const {
    names: [name = ''],
    value,
  } of rows.filter((row) => row.value !== '')) {
    const [group = '', member = ''] = name.split('.');
    const setting = Reflect.get(defaults, group);
    expect([name, value]).toEqual([name, String(member === '' ? setting : Reflect.get(setting, member))]);
  }
});

test('permissions.md states the permissions of every command that works on a stack', () => {
  const [, table = ''] = /^\| role \|.*?$(.*?)^$/ms.exec(permissions) ?? [];
  const listed = matchesOf(table, /`([a-z-]+)(?: --[a-z-]+)?`/g);
  const onThisMachine: readonly string[] = [commandNames.demo, commandNames.start, commandNames.events];
  const onStack = Object.values(commandNames).filter((name) => !onThisMachine.includes(name));
  expect(onStack.filter((name) => !listed.has(name))).toEqual([]);
});

/** Permissions that have another name than the command that needs them, or that AWS itself needs. */
const otherPermissions = [
  's3:GetObjectVersion',
  's3:DeleteObjectVersion',
  's3:ListBucket',
  's3:ListBucketVersions',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchGetItem',
  // Sent by a paginator of the SDK.
  'dynamodb:Scan',
  // Of people who write statements of PartiQL.
  'dynamodb:PartiQLSelect',
  'cloudformation:ListStackResources',
  'sns:ListSubscriptionsByTopic',
  'kms:Decrypt',
  'kms:GenerateDataKey',
  'lambda:InvokeFunction',
  // Of Athena, with the permissions of the person.
  'glue:GetDatabase',
  'glue:GetTable',
  'glue:GetPartitions',
  's3:GetBucketLocation',
  's3:ListMultipartUploadParts',
  // Of people who use the AWS command line.
  'secretsmanager:PutSecretValue',
  'events:UpdateConnection',
  'events:UpdateApiDestination',
  'cognito-idp:UpdateIdentityProvider',
  'sts:AssumeRole',
];

test('every permission in permissions.md is that of a command that simporter sends', () => {
  const code = globFiles('{cli,shared}/**/*.ts').map((path) => readFileSync(path, 'utf8'));
  const sent = new Set(code.flatMap((text) => [...matchesOf(text, /\b([A-Z]\w+?)(?:Batch)?Command\b/g)]));
  const [, table = ''] = /^\| role \|.*?$(.*?)^$/ms.exec(permissions) ?? [];
  const named = table.split('\n').flatMap((row) => {
    let service = '';
    return [...matchesOf(row.split(' | ')[2] ?? '', /`((?:[a-z0-9-]+:)?[A-Z]\w+)`/g)].map((name) => {
      if (name.includes(':')) [service = ''] = name.split(':');
      return name.includes(':') ? name : `${service}:${name}`;
    });
  });
  expect(new Set(named).size).toBeGreaterThan(20);
  const ofAws = [':CloudWatchReadOnlyAccess', ':CloudWatchLogsReadOnlyAccess'];
  const known = (name: string) => sent.has(name.split(':')[1] ?? '') || [...otherPermissions, ...ofAws].includes(name);
  expect(named.filter((name) => !known(name))).toEqual([]);
  expect(otherPermissions.filter((name) => !named.includes(name))).toEqual([]);
});

/** What a command writes to the inbox, where that is not a folder of the person's choice. */
const written = [
  ['uploader', 'upload-url', uploadKey({ operation: 'create-port', folder: '0a', fileName: 'a.csv', planOnly: true })],
  ['importer', 'sim-services', simListKey('0a')],
  ['approver', 'undo', uploadKey({ operation: 'cancel-port', fileName: 'undo.csv', planOnly: false })],
  ['approver', 'approve --leave-out', readingKey(someImport(), '0a')],
] as const;

test.each(written)(
  'permissions.md names for the %s the folder of the inbox that %s writes to',
  (role, command, key) => {
    const row = permissions.split('\n').find((line) => line.startsWith(`| ${role} |`)) ?? '';
    const [folder = ''] = key.split('/');
    const named = [...row.matchAll(/for `([^`]+)`[^`]*`(?:<InboxBucket>\/)?([^`]+)\/\*`/g)].map(
      ([, ...names]) => names,
    );
    expect(named).toContainEqual([command, folder]);
  },
);

test('permissions.md names for secret rotation what each command of the recovery page needs', () => {
  const [, section = ''] = /^## Rotate a secret$(.*?)^## /ms.exec(read('guides/recovery')) ?? [];
  const row = permissions.split('\n').find((line) => line.startsWith('| secret rotation |')) ?? '';
  expect(section).toContain('\nsimporter sync\n');
  for (const permission of ['cloudformation:DescribeStacks', 'lambda:InvokeFunction', 'dynamodb:GetItem'])
    expect(row).toContain(permission);
});

test('the example of cdk.json in deploy.md is valid', () => {
  const [, example = '{}'] = /```json\n(\{\n {2}"context".*?)```/s.exec(deploy) ?? [];
  const { environments } = JSON.parse(example).context;
  expect(readConfiguration('prod', { environments })).toMatchObject({ limits: { rowsPerRequest: 50 } });
  expect(readConfiguration('staging', { environments })).toMatchObject({
    production: false,
    simulator: { enabled: true },
  });
});

test('every command that deploys works for an app of one stack and of several', () => {
  const pages = globFiles(['README.md', 'docs/**/*.md']).map((path) => readFileSync(path, 'utf8'));
  const commands = pages.flatMap((page) => page.match(/^[^|\n]*npx cdk (?:deploy|diff|destroy)\b.*/gm) ?? []);
  expect(commands.length).toBeGreaterThan(8);
  const named = /npx cdk (?:diff|\w+ (?:--all|simporter-\w+-dev|simporter-dev)) ?/;
  expect(commands.filter((command) => !named.test(command))).toEqual([]);
});

test('people are invited to the console by e-mail: without a medium, Cognito sends a text message', () => {
  const [command = ''] = /^aws cognito-idp admin-create-user [^`]*?[^\\]$/ms.exec(console) ?? [];
  expect(command).toContain('--desired-delivery-mediums EMAIL');
  // Cognito requires the address as an attribute, and sends a new password to a verified address only.
  expect(command).toContain('--user-attributes Name=email,Value=sam@example.com Name=email_verified,Value=true');
});
