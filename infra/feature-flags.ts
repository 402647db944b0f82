// The feature flags of the CDK. They are set in code, so that every caller synthesises the same template.
import { createRequire } from 'node:module';
import type { Construct } from 'constructs';

export const featureFlags: Readonly<Record<string, unknown>> = createRequire(import.meta.url)(
  'aws-cdk-lib/recommended-feature-flags.json',
);

/** Sets the flags for what is created below `scope`. The app of `scope` keeps its own. */
export function setFeatureFlags(scope: Construct): void {
  for (const [name, value] of Object.entries(featureFlags)) scope.node.setContext(name, value);
}
