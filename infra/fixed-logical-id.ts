// Fixes the logical ids that people and data depend on, instead of deriving them from the construct tree.
import { CfnResource, type IResource } from 'aws-cdk-lib';

/**
 * Makes the construct's id its logical id. CloudFormation generates the physical name from it, and moving the construct
 * within the tree does not replace a bucket or a table by an empty one.
 */
export function fixLogicalId<Construct extends IResource>(construct: Construct): Construct {
  const { defaultChild, id, path } = construct.node;
  if (!CfnResource.isCfnResource(defaultChild)) throw new Error(`${path} is not a single resource`);
  defaultChild.overrideLogicalId(id);
  return construct;
}
