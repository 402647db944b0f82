// The permissions of every role as one page for a reviewer: a changed permission is a changed line of the snapshot.
import { expect, test } from 'vitest';
import { type Statement, statementsOf } from '../support/infra/checks/permissions.ts';
import { asArray, formatValue } from '../support/infra/checks/read-template.ts';
import { synthesise, withoutHash } from '../support/infra/template.ts';

const statements = statementsOf(synthesise('prod'));

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

test('the permissions of every role are the reviewed ones', async () => {
  const roles = Object.entries(Object.groupBy(statements, ({ role }) => role));
  const page = roles.map(([role, held = []]) => `${role}\n${held.map(described).join('\n')}\n`).join('\n');
  await expect(withoutHash(page)).toMatchFileSnapshot('snapshots/permissions.txt');
});

test('every statement has a unique name within its role', () => {
  const names = statements.filter(({ sid }) => sid !== '').map(({ role, sid }) => `${role} ${sid}`);
  expect(new Set(names).size).toBe(names.length);
});

test('no function may scan the table', () => {
  expect(statements.flatMap(({ actions }) => actions)).not.toContain('dynamodb:Scan');
});

test('only ingest, submit and sync, which call the service, may read its credentials', () => {
  const readers = statements.filter(({ actions }) => actions.includes('secretsmanager:GetSecretValue'));
  expect(readers.map(({ role }) => withoutHash(role)).sort()).toEqual(['IngestRole', 'SubmitRole', 'SyncRole']);
});
