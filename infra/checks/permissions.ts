// What must hold of rights: one role per function, no wildcard but those listed here with their reason, and no function
// that can write where a write starts the pipeline.
import { type Check, every, list, resourcesOf, type Template, target, type Violation } from './template.ts';

/** One statement of a role's policies, flattened to text: `<LogicalId.Arn>/imports/*`. */
export interface Statement {
  readonly role: string;
  readonly policy: string;
  readonly sid: string;
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: unknown;
}

/** The wildcards there may be, each at the end of an ARN, and why. */
const allowedWildcards: readonly { readonly sid?: string; readonly pattern: RegExp; readonly reason: string }[] = [
  { pattern: /^<Inbox\.Arn>\/\*$/, reason: 'names of uploads are chosen by those who upload' },
  { pattern: /^<(Work|Results)\.Arn>\/imports\/\*$/, reason: 'one folder per import' },
  { pattern: /^<Results\.Arn>\/catalogue\/\*$/, reason: 'one file per lookup of the catalogue' },
  { sid: 'JoinNetwork', pattern: /^\*$/, reason: 'Lambda asks for it of a function in a network' },
  { pattern: /^<Table\.Arn>\/stream\/\*$/, reason: 'streams of the table are listed, whichever there are' },
];

/** Every statement that a role of the template holds. */
export function statementsOf(template: Template): readonly Statement[] {
  return resourcesOf(template, 'AWS::IAM::Policy').flatMap(([policy, { PolicyDocument, Roles }]) =>
    list(PolicyDocument.Statement).flatMap(({ Sid, Effect, Action, Resource, Condition }) =>
      list<unknown>(Roles).map((role) => ({
        role: target(role) ?? '?',
        policy,
        sid: Sid ?? '',
        effect: Effect,
        actions: list<string>(Action),
        resources: list<unknown>(Resource).map(spell),
        conditions: Condition,
      })),
    ),
  );
}

/** A reference as text: `<LogicalId>`, `<LogicalId.Attribute>`, joins put together. */
export function spell(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, ...functions } = value as { Ref?: string; 'Fn::GetAtt'?: string[]; 'Fn::Join'?: [string, unknown[]] };
  if (Ref) return `<${Ref}>`;
  if (functions['Fn::GetAtt']) return `<${functions['Fn::GetAtt'].join('.')}>`;
  const [separator, parts] = functions['Fn::Join'] ?? ['', [JSON.stringify(value)]];
  return parts.map(spell).join(separator);
}

export const permissionChecks: readonly Check[] = [
  { rule: 'no-wildcard', violations: (template) => statementsOf(template).flatMap(wildcardsIn) },
  every(
    'AWS::IAM::Role',
    'no-managed-policy',
    'A managed policy allows more than the function needs, and changes without us.',
    ({ ManagedPolicyArns }) => list(ManagedPolicyArns).length === 0,
  ),
  every('AWS::Lambda::Function', 'own-role', 'Two functions share a role.', ({ Role }, template) => {
    const roles = resourcesOf(template, 'AWS::Lambda::Function').map(([, properties]) => target(properties.Role));
    return roles.filter((role) => role === target(Role)).length === 1;
  }),
  { rule: 'no-loop', violations: uploadsAreWritten },
];

function wildcardsIn({ policy, sid, effect, actions, resources }: Statement): readonly Violation[] {
  if (effect === 'Deny') return [];
  const violation = (what: string) => ({
    rule: 'no-wildcard',
    resource: policy,
    message: `The statement "${sid}" allows ${what}: name it, or list it in infra/checks/permissions.ts with the reason.`,
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

/** A result that lands in a bucket which announces uploads would start the pipeline again (fault 8). */
function uploadsAreWritten(template: Template): readonly Violation[] {
  const announcing = resourcesOf(template, 'AWS::S3::Bucket')
    .filter(([, { NotificationConfiguration }]) => NotificationConfiguration)
    .map(([id]) => id);
  return statementsOf(template)
    .filter(({ actions }) => actions.some((action) => action === 's3:PutObject' || action === 's3:*'))
    .filter(({ resources }) => resources.some((arn) => announcing.some((id) => arn.startsWith(`<${id}.Arn>`))))
    .map(({ policy, sid }) => ({
      rule: 'no-loop',
      resource: policy,
      message: `The statement "${sid}" lets a function write into a bucket whose uploads start the pipeline.`,
    }));
}
