// The template and the permissions of prod, compared with what was read last.
import { describe, expect, test } from 'vitest';
import { asArray, formatValue } from '#local/template/references.ts';
import { type Statement, statementsOf } from '../support/infra/checks/permissions.ts';
import type { Resource } from '../support/infra/checks/read-template.ts';
import { ofPipeline } from '../support/infra/granted-permissions.ts';
import { synthesise, synthesiseConsole, withoutHash } from '../support/infra/template.ts';

// The template as lines for a reviewer: a changed property is a changed line of the snapshot. permissions.txt lists the
// permissions. Properties without an effect on a deployment (texts, the dashboard, code, tags) are omitted.
describe('the template', () => {
  const omitted = ['AlarmDescription', 'Code', 'DashboardBody', 'Description', 'QueryString', 'Tags'];
  const intrinsics = ['Ref', 'Fn::GetAtt', 'Fn::Join'];

  /** One line for each value: `Timeout: 900`, `RedrivePolicy.maxReceiveCount: 8`. */
  function linesOfValue(value: unknown, path = ''): string[] {
    if (typeof value !== 'object' || value === null) return [`${path}: ${value}`];
    if (intrinsics.some((name) => name in value)) return [`${path}: ${formatValue(value)}`];
    return Object.entries(value)
      .filter(([name]) => !omitted.includes(name))
      .flatMap(([name, inner]) => linesOfValue(inner, path === '' ? name : `${path}.${name}`));
  }

  function linesOfTemplate(): string[] {
    const { Resources } = synthesise('prod');
    return Object.entries(Resources)
      .filter(([, { Type }]) => Type !== 'AWS::IAM::Policy')
      .map(([id, resource]) => ({ id: `${withoutHash(id)} (${resource.Type})`, shown: shownOf(resource) }))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .flatMap(({ id, shown }) => linesOfValue(shown).map((line) => `${id} ${withoutHash(line)}`))
      .map((line) => line.replaceAll(/simporter([-/])prod/g, 'simporter$1<stage>'));
  }

  function shownOf({ Properties, ...resource }: Resource & { readonly DeletionPolicy?: string }) {
    return { ...Properties, ...(resource.DeletionPolicy ? { DeletionPolicy: resource.DeletionPolicy } : {}) };
  }

  /** Groups lines by their resource. */
  function page(lines: readonly string[]): string {
    let last = '';
    return lines
      .map((line) => {
        const [, id = '', rest = ''] = /^(\S+ \(\S+\)) (.*)$/s.exec(line) ?? [];
        const heading = id === last ? '' : `${last === '' ? '' : '\n'}${id}\n`;
        last = id;
        return `${heading}  ${rest}`;
      })
      .join('\n');
  }

  test('prod is the reviewed template', async () => {
    await expect(`${page(linesOfTemplate())}\n`).toMatchFileSnapshot('snapshots/template-prod.txt');
  });
});

// The permissions of every role as one page for a reviewer: a changed permission is a changed line of the snapshot.
describe('the permissions', () => {
  const rolesOf = { pipeline: statementsOf(synthesise('prod')), console: statementsOf(synthesiseConsole('prod')) };
  const pages = [
    ['the pipeline', 'permissions.txt', rolesOf.pipeline],
    ['the console', 'permissions-console.txt', rolesOf.console],
  ] as const;

  /** One line for each value of a condition: `StringEquals kms:ViaService s3.<AWS::Region>.<AWS::URLSuffix>`. */
  const condition = ({ conditions }: Statement) =>
    Object.entries(conditions ?? {}).flatMap(([operator, keys]) =>
      Object.entries<unknown>(keys).flatMap(([key, values]) =>
        asArray<unknown>(values).map((value) => `\n      if ${operator} ${key} ${formatValue(value)}`),
      ),
    );
  const described = (statement: Statement) =>
    `  ${statement.sid}\n    ${statement.actions.join(', ')}\n${statement.resources
      .map((resource) => `      ${resource}`)
      .join('\n')}${condition(statement).join('')}`;

  test.each(pages)('the permissions of every role of %s are the reviewed ones', async (_, file, statements) => {
    const roles = Object.entries(Object.groupBy(statements, ({ role }) => role));
    const page = roles.map(([role, held = []]) => `${role}\n${held.map(described).join('\n')}\n`).join('\n');
    await expect(withoutHash(ofPipeline(page))).toMatchFileSnapshot(`snapshots/${file}`);
  });

  test.each(pages)('every statement of %s has a unique name within its role', (_, __, statements) => {
    const names = statements.filter(({ sid }) => sid !== '').map(({ role, sid }) => `${role} ${sid}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('no function may scan the table', () => {
    expect(rolesOf.pipeline.flatMap(({ actions }) => actions)).not.toContain('dynamodb:Scan');
  });

  test('only ingest, submit and sync, which call the service, may read its credentials', () => {
    const readers = rolesOf.pipeline.filter(({ actions }) => actions.includes('secretsmanager:GetSecretValue'));
    expect(readers.map(({ role }) => withoutHash(role)).sort()).toEqual(['IngestRole', 'SubmitRole', 'SyncRole']);
  });
});
