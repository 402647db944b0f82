// What the roles of the functions may do: by a template, or as it was last reviewed. The in-memory doubles decline
// everything else, as AWS does, so that every test of a step shows a permission that its role lacks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asArray } from '#local/template/references.ts';
import { type Statement, statementsOf } from './checks/permissions.ts';
import type { Template } from './checks/read-template.ts';
import { withoutHash } from './template.ts';
import { type Right, rightsOfCommand, type UsedPermission } from './used-permissions.ts';

export interface Grant {
  readonly role: string;
  readonly sid: string;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Patterns of partition keys. Empty: all items. */
  readonly partitions: readonly string[];
}

/** In place of an attribute of the pipeline's stack, as `…FnGetAttTableArn1A2B3C4D"}`: `<Table.Arn>`. */
export const ofPipeline = (text: string): string =>
  text.replace(/\{"Fn::(?:ImportValue|GetStackOutput)":.*?FnGetAtt([A-Za-z]+)Arn[0-9A-F]{8}"\}+/g, '<$1.Arn>');

const partitionsOf = (conditions: unknown): readonly string[] => {
  const { 'ForAllValues:StringLike': like } = (conditions ?? {}) as Readonly<Record<string, Record<string, unknown>>>;
  return asArray(like?.['dynamodb:LeadingKeys'] as string | readonly string[] | undefined);
};

const grantOf = ({ role, sid, actions, resources, conditions }: Statement): Grant => ({
  role: withoutHash(role),
  sid,
  actions,
  resources: resources.map((resource) => withoutHash(ofPipeline(resource))),
  partitions: partitionsOf(conditions),
});

export const grantsOf = (template: Template): readonly Grant[] =>
  statementsOf(template)
    .filter(({ effect }) => effect === 'Allow')
    .map(grantOf);

/** By the pattern: the same few are asked about each command. */
const expressions = new Map<string, RegExp>();

/** Whether the text is one of those that the pattern means: `*` stands for any text. */
export function isLike(text: string, pattern: string): boolean {
  const expression = expressions.get(pattern) ?? expressionOf(pattern);
  expressions.set(pattern, expression);
  return expression.test(text);
}

function expressionOf(pattern: string): RegExp {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`, 's');
}

export const isGrantedBy = ({ action, resource, partitions }: Right, grant: Grant): boolean =>
  grant.actions.includes(action) &&
  grant.resources.some((pattern) => isLike(resource, pattern)) &&
  (grant.partitions.length === 0 ||
    (partitions ?? []).every((partition) => grant.partitions.some((pattern) => isLike(partition, pattern))));

/** What of the grant nothing used, one line for each action, resource and pattern of partition keys. */
export function unusedOf({ role, partitions, ...grant }: Grant, used: readonly UsedPermission[]): readonly string[] {
  const ofRole = used.filter((right) => right.role === role);
  return grant.actions.flatMap((action) =>
    grant.resources.flatMap((resource) =>
      (partitions.length === 0 ? [''] : partitions).flatMap((partition) => {
        const single = { role, sid: grant.sid, actions: [action], resources: [resource] };
        const isUsed = ofRole.some((right) =>
          isGrantedBy(right, { ...single, partitions: partition === '' ? [] : [partition] }),
        );
        return isUsed ? [] : [`${role} ${action} ${resource} ${partition}`.trimEnd()];
      }),
    ),
  );
}

const snapshots = join(import.meta.dirname, '..', '..', 'infra', 'snapshots');
/** What snapshots.test.ts compares with the templates. */
const reviewedFiles = ['permissions.txt', 'permissions-console.txt'] as const;

/** A role, below it its statements, and below each their actions, resources and conditions. */
function parseReviewed(page: string): Grant[] {
  const grants: Grant[] = [];
  let role = '';
  for (const [, indent = '', text = ''] of page.matchAll(/^( *)(\S.*)$/gm)) {
    const grant = grants.at(-1);
    const [, operator, key, value = ''] = /^if (\S+) (\S+) (.*)$/.exec(text) ?? [];
    if (indent === '') role = text;
    else if (indent.length === 2) grants.push({ role, sid: text, actions: [], resources: [], partitions: [] });
    else if (grant === undefined) throw new Error(`${text} belongs to no statement`);
    else if (indent.length === 4) grants[grants.length - 1] = { ...grant, actions: text.split(', ') };
    else if (operator === undefined) grants[grants.length - 1] = { ...grant, resources: [...grant.resources, text] };
    else if (key === 'dynamodb:LeadingKeys')
      grants[grants.length - 1] = { ...grant, partitions: [...grant.partitions, value] };
  }
  return grants;
}

let reviewed: readonly Grant[] | undefined;

/** @throws AccessDenied where the role does not allow the command, as AWS would */
export function requireGranted(role: string, command: { readonly input: unknown }): void {
  reviewed ??= reviewedFiles.flatMap((file) => parseReviewed(readFileSync(join(snapshots, file), 'utf8')));
  const grants = reviewed.filter((grant) => grant.role === role);
  for (const right of rightsOfCommand(command.constructor.name, command.input as object)) {
    if (grants.some((grant) => isGrantedBy(right, grant))) continue;
    const message = `${role} may not ${right.action} on ${right.resource} ${(right.partitions ?? []).join(', ')}`;
    throw Object.assign(new Error(message.trimEnd()), { name: 'AccessDenied' });
  }
}
