// All checks of our templates: they find what cdk-nag and the template linter of the CDK do not.
import { creationChecks } from './creation.ts';
import { deliveryChecks } from './delivery.ts';
import { eventChecks } from './events.ts';
import { functionChecks } from './functions.ts';
import { permissionChecks } from './permissions.ts';
import { quotaChecks } from './quotas.ts';
import type { Check, Template, Violation } from './read-template.ts';
import { storageChecks } from './storage.ts';

export const checks: readonly Check[] = [
  ...creationChecks,
  ...deliveryChecks,
  ...eventChecks,
  ...functionChecks,
  ...storageChecks,
  ...permissionChecks,
  ...quotaChecks,
];

export function violationsOf(template: Template): readonly Violation[] {
  return checks.flatMap((check) => check.violations(template));
}
