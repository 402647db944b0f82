// Every stack can be created, with every setting: nothing is refused, or done in vain, if each resource is created as
// early as CloudFormation may.
import { expect, test } from 'vitest';
import { creationChecks } from '../support/infra/checks/creation.ts';
import { variants } from '../support/infra/variants.ts';

test.each(variants)('$name', ({ templates }) => {
  const stacks = [...templates()];
  expect(stacks.length).toBeGreaterThan(0);
  const violations = stacks.flatMap(([stack, template]) =>
    creationChecks.flatMap((check) => check.violations(template).map((violation) => ({ stack, ...violation }))),
  );
  expect(violations).toEqual([]);
});
