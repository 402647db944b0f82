// Runs our checks in every synth: they find what cdk-nag and the template linter of the CDK do not.
import { readFileSync } from 'node:fs';
import type { IPolicyValidationContext, IPolicyValidationPlugin, PolicyValidationPluginReport } from 'aws-cdk-lib';
import { deliveryChecks } from './delivery.ts';
import { eventChecks } from './events.ts';
import { functionChecks } from './functions.ts';
import { permissionChecks } from './permissions.ts';
import { storageChecks } from './storage.ts';
import type { Check, Template, Violation } from './template.ts';

export const checks: readonly Check[] = [
  ...deliveryChecks,
  ...eventChecks,
  ...functionChecks,
  ...storageChecks,
  ...permissionChecks,
];

export function violationsOf(template: Template): readonly Violation[] {
  return checks.flatMap((check) => check.violations(template));
}

export class PipelineChecks implements IPolicyValidationPlugin {
  readonly name = 'simporter';

  validate({ templatePaths }: IPolicyValidationContext): PolicyValidationPluginReport {
    const violations = templatePaths.flatMap((templatePath) =>
      violationsOf(JSON.parse(readFileSync(templatePath, 'utf8'))).map(({ rule, resource, message }) => ({
        ruleName: rule,
        description: message,
        severity: 'error',
        violatingResources: [{ resourceLogicalId: resource, templatePath, locations: ['Properties'] }],
      })),
    );
    return { success: violations.length === 0, violations };
  }
}
