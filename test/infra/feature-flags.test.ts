// The feature flags of the CDK are part of simporter. The CDK recommends its flags for new apps: a flag that a newer
// version adds may replace or rename resources of a stack that is deployed.
import { createRequire } from 'node:module';
import { App, Stack } from 'aws-cdk-lib';
import { afterAll, expect, test } from 'vitest';

const ofInstalled: Record<string, unknown> = createRequire(import.meta.url)(
  'aws-cdk-lib/recommended-feature-flags.json',
);
const flags = Object.keys(ofInstalled);
/** As in the app of a user who installs a newer CDK beside the package. */
const ofNewerVersion = '@aws-cdk/core:ofNewerVersion';
ofInstalled[ofNewerVersion] = true;
const { featureFlags, setFeatureFlags } = await import('#infra/cdk-conventions.ts');
afterAll(() => {
  delete ofInstalled[ofNewerVersion];
});

test('a newer CDK turns no flag on in a stack that is deployed', () => {
  const stack = new Stack(new App(), 'Ports');
  setFeatureFlags(stack);
  expect(stack.node.tryGetContext('@aws-cdk/core:defaultCrossStackReferences')).toBe('weak');
  expect(stack.node.tryGetContext(ofNewerVersion)).toBeUndefined();
});

test('every flag that the installed CDK recommends is decided: on, or off where it would replace a resource', () => {
  expect(flags.filter((flag) => !(flag in featureFlags))).toEqual([]);
});
