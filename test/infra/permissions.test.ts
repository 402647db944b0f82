// Who may do what, as one page for a reviewer: a change of a right shows as a changed line of the snapshot.
import { expect, test } from 'vitest';
import { type Statement, spell, statementsOf } from '#infra/checks/permissions.ts';
import { list } from '#infra/checks/template.ts';
import { synthesise, withoutHash } from '../support/infra-template.ts';

const statements = statementsOf(synthesise('prod'));

/** `StringEquals kms:ViaService s3.<AWS::Region>.<AWS::URLSuffix>` for each value that a condition allows. */
const condition = ({ conditions }: Statement) =>
  Object.entries(conditions ?? {}).flatMap(([operator, keys]) =>
    Object.entries<unknown>(keys).flatMap(([key, values]) =>
      list<unknown>(values).map((value) => `\n      if ${operator} ${key} ${spell(value)}`),
    ),
  );
const described = (statement: Statement) =>
  `  ${statement.sid}\n    ${statement.actions.join(', ')}\n${statement.resources
    .map((resource) => `      ${resource}`)
    .join('\n')}${condition(statement).join('')}`;

test('the rights of every role are the ones that were reviewed', async () => {
  const roles = Object.entries(Object.groupBy(statements, ({ role }) => role));
  const page = roles.map(([role, held = []]) => `${role}\n${held.map(described).join('\n')}\n`).join('\n');
  await expect(withoutHash(page)).toMatchFileSnapshot('snapshots/permissions.txt');
});

test('every statement has a name of its own within its role', () => {
  const names = statements.filter(({ sid }) => sid !== '').map(({ role, sid }) => `${role} ${sid}`);
  expect(new Set(names).size).toBe(names.length);
});

test('no function may read or change the whole table at once', () => {
  expect(statements.flatMap(({ actions }) => actions)).not.toContain('dynamodb:Scan');
});

test('only submit, ingest and sync, which call the service, may read its credentials', () => {
  const readers = statements.filter(({ actions }) => actions.includes('secretsmanager:GetSecretValue'));
  expect(readers.map(({ role }) => withoutHash(role)).sort()).toEqual(['IngestRole', 'SubmitRole', 'SyncRole']);
});
