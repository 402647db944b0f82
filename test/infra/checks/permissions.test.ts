// The checks of permissions, each with a mistake that it finds.

import { permissionChecks } from '../../support/infra/checks/permissions.ts';
import { describeChecks, lambda, type Mistake, ofRole, policy, template } from '../../support/infra/mistakes.ts';
import { withChanged } from '../../support/infra/template.ts';

const ofIngest = ofRole('Ingest');
const denyOthers = 'DenyOtherSenders';

const mistakes: readonly Mistake[] = [
  [
    'a wildcard in the actions',
    'no-wildcard',
    withChanged(template, policy, ({ PolicyDocument }) =>
      Object.assign(PolicyDocument.Statement[0], { Action: 'dynamodb:*' }),
    ),
  ],
  [
    'a wildcard as the resource',
    'no-wildcard',
    withChanged(template, policy, ({ PolicyDocument }) =>
      Object.assign(PolicyDocument.Statement[0], { Resource: '*' }),
    ),
  ],
  [
    'all objects of the results bucket',
    'no-wildcard',
    withChanged(template, policy, ({ PolicyDocument }) =>
      Object.assign(PolicyDocument.Statement[0], {
        Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Results', 'Arn'] }, '/*']] },
      }),
    ),
  ],
  [
    'a managed policy',
    'no-managed-policy',
    withChanged(template, 'AWS::IAM::Role', (properties) =>
      Object.assign(properties, { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonS3FullAccess'] }),
    ),
  ],
  [
    'a role that two functions share',
    'own-role',
    withChanged(
      template,
      lambda,
      (properties) => {
        const submit = Object.entries(template.Resources).find(([id]) => id.startsWith('SubmitFunction'));
        Object.assign(properties, { Role: submit?.[1].Properties.Role });
      },
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'a queue of uploads that takes events of other senders',
    'upload-events',
    withChanged(
      template,
      'AWS::SQS::QueuePolicy',
      ({ PolicyDocument }) => {
        PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Sid }: { Sid?: string }) => Sid !== denyOthers);
      },
      ({ Queues }) => Queues[0].Ref === 'IngestQueue',
    ),
  ],
  [
    'a function whose announcements of uploads are denied',
    'upload-events',
    withChanged(
      template,
      'AWS::SQS::QueuePolicy',
      ({ PolicyDocument }) => {
        const deny = PolicyDocument.Statement.find(({ Sid }: { Sid?: string }) => Sid === denyOthers);
        deny.Condition.ArnNotEquals['aws:PrincipalArn'].pop();
      },
      ({ Queues }) => Queues[0].Ref === 'IngestQueue',
    ),
  ],
  [
    'results written to the inbox (fault 8)',
    'no-loop',
    withChanged(
      template,
      policy,
      ({ PolicyDocument }) => {
        const reads = PolicyDocument.Statement.find(({ Sid }: { Sid: string }) => Sid === 'ReadUploads');
        Object.assign(reads, { Action: [...reads.Action, 's3:PutObject'] });
      },
      ofIngest,
    ),
  ],
];

describeChecks('permissions', permissionChecks, mistakes);
