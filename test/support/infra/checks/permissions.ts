// Checks of permissions: one role for each function, no wildcard that is not listed here with its reason, and no
// function that can write to the bucket whose uploads start the pipeline.
import { asArray, formatValue, referencedId } from '#local/template/references.ts';
import { type Check, checkEach, type Properties, resourcesOf, type Template, type Violation } from './read-template.ts';

/** One statement of a role's policies, with its resources as text: `<LogicalId.Arn>/imports/*`. */
export interface Statement {
  readonly role: string;
  readonly policy: string;
  readonly sid: string;
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: unknown;
}

/** The reviewed wildcards, each at the end of an ARN. */
const allowedWildcards: readonly { readonly sid?: string; readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /^<Inbox\.Arn>\/\*$/, reason: 'the names of uploads are chosen by those who upload' },
  { pattern: /^<(Work|Results)\.Arn>\/imports\/\*$/, reason: 'one folder per import' },
  { pattern: /^<Work\.Arn>\/imports\/\*\/moved-\*\.json$/, reason: 'one file for each request of an import' },
  { pattern: /^<Results\.Arn>\/ports\/\*$/, reason: 'one list for each account' },
  { pattern: /^<Work\.Arn>\/search\/\*$/, reason: 'one search for each account and address of the service' },
  { pattern: /^<Results\.Arn>\/analytics\/\*$/, reason: 'one file per finished import' },
  { pattern: /^<Results\.Arn>\/catalogue\/\*$/, reason: 'one file for each kind of reference data' },
  // The same buckets, as the stack of the console names them.
  { pattern: /FnGetAttInboxArn\w+"\}\/plan\/\*$/, reason: 'one folder per upload of the console' },
  { pattern: /FnGetAttWorkArn\w+"\}\/imports\/\*\/plan-index\.ndjson$/, reason: 'one folder per import' },
  { pattern: /FnGetAttWorkArn\w+"\}\/imports\/\*\/draft-\*\.json$/, reason: 'one file for each save of a draft' },
  { pattern: /FnGetAttResultsArn\w+"\}\/(imports|catalogue|ports)\/\*$/, reason: 'a folder per import, one file each' },
  { sid: 'CreateNetworkInterfaces', pattern: /^\*$/, reason: 'Lambda requires it of a function in a VPC' },
  { sid: 'WriteTraces', pattern: /^\*$/, reason: 'X-Ray has no resources that these actions could name' },
  { sid: 'MoveAliases', pattern: /^<\w+Function\.Arn>:\*$/, reason: 'the versions and aliases of the function' },
  { sid: 'ReadAlarms', pattern: /^\*$/, reason: 'CodeDeploy lists alarms, as its managed policy allows' },
  { pattern: /^<Table\.Arn>\/stream\/\*$/, reason: 'the action lists all streams of the table' },
];

/** Every statement in the roles of the template. */
export function statementsOf(template: Template): readonly Statement[] {
  return resourcesOf(template, 'AWS::IAM::Policy').flatMap(([policy, { PolicyDocument, Roles }]) =>
    asArray(PolicyDocument.Statement).flatMap(({ Sid, Effect, Action, Resource, Condition }) =>
      asArray<unknown>(Roles).map((role) => ({
        role: referencedId(role) ?? '?',
        policy,
        sid: Sid ?? '',
        effect: Effect,
        actions: asArray<string>(Action),
        resources: asArray<unknown>(Resource).map(formatValue),
        conditions: Condition,
      })),
    ),
  );
}

export const permissionChecks: readonly Check[] = [
  { rule: 'no-wildcard', violations: (template) => statementsOf(template).flatMap(findWildcards) },
  checkEach(
    'AWS::IAM::Role',
    'no-managed-policy',
    'A managed policy allows more than the function needs, and AWS may change it.',
    ({ ManagedPolicyArns }) => asArray(ManagedPolicyArns).length === 0,
  ),
  checkEach('AWS::Lambda::Function', 'own-role', 'Two functions share a role.', ({ Role }, template) => {
    const roles = resourcesOf(template, 'AWS::Lambda::Function').map(([, properties]) => referencedId(properties.Role));
    return roles.filter((role) => role === referencedId(Role)).length === 1;
  }),
  { rule: 'no-loop', violations: findWritesToInbox },
  checkEach(
    'AWS::S3::Bucket',
    'upload-events',
    'Ingest believes the uploader of an event: the queue must deny all senders but S3 and the functions that may send.',
    ({ NotificationConfiguration }, template) =>
      asArray<Properties>(NotificationConfiguration?.QueueConfigurations).every(({ Queue }) => {
        const mayStill = sendersThatAreNotDenied(template, referencedId(Queue));
        const senders = statementsOf(template).filter(
          ({ effect, actions, resources }) =>
            effect === 'Allow' && actions.includes('sqs:SendMessage') && resources.includes(formatValue(Queue)),
        );
        return mayStill !== undefined && senders.every(({ role }) => mayStill.includes(role));
      }),
  ),
];

/** The roles that the policy of the queue leaves to send; undefined: it denies nobody. S3 states a source ARN. */
function sendersThatAreNotDenied(template: Template, queue: string | undefined): readonly unknown[] | undefined {
  const denied = resourcesOf(template, 'AWS::SQS::QueuePolicy')
    .filter(([, { Queues }]) => asArray(Queues).map(referencedId).includes(queue))
    .flatMap(([, { PolicyDocument }]) => asArray<Properties>(PolicyDocument.Statement))
    .find(
      ({ Effect, Action, Condition }) =>
        Effect === 'Deny' && Action === 'sqs:SendMessage' && Condition?.Null?.['aws:SourceArn'] === 'true',
    );
  return denied && asArray<unknown>(denied.Condition.ArnNotEquals?.['aws:PrincipalArn']).map(referencedId);
}

function findWildcards({ policy, sid, effect, actions, resources }: Statement): readonly Violation[] {
  if (effect === 'Deny') return [];
  const violation = (what: string) => ({
    rule: 'no-wildcard',
    resource: policy,
    message: `The statement "${sid}" allows ${what}: name it, or add the reason to infra/checks/permissions.ts.`,
  });
  return [
    ...actions.filter((action) => action.includes('*')).map((action) => violation(`the actions ${action}`)),
    ...resources
      .filter((arn) => arn.includes('*') && !isAllowedWildcard(sid, arn))
      .map((arn) => violation(`the resources ${arn}`)),
  ];
}

const isAllowedWildcard = (sid: string, arn: string): boolean =>
  allowedWildcards.some((allowed) => (allowed.sid ?? sid) === sid && allowed.pattern.test(arn));

/** A file that a function writes to the inbox would start the pipeline again (fault 8). */
function findWritesToInbox(template: Template): readonly Violation[] {
  const inboxes = resourcesOf(template, 'AWS::S3::Bucket')
    .filter(([, { NotificationConfiguration }]) => NotificationConfiguration)
    .map(([id]) => id);
  return statementsOf(template)
    .filter(({ actions }) => actions.some((action) => action === 's3:PutObject' || action === 's3:*'))
    .filter(({ resources }) => resources.some((arn) => inboxes.some((id) => arn.startsWith(`<${id}.Arn>`))))
    .map(({ policy, sid }) => ({
      rule: 'no-loop',
      resource: policy,
      message: `The statement "${sid}" allows a function to write to a bucket whose uploads start the pipeline.`,
    }));
}
