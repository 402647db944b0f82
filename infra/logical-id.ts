// Logical ids that people and data depend on, written down instead of derived from the place in the construct tree.
import { CfnResource, type IResource } from 'aws-cdk-lib';

/**
 * Makes the construct's own id the logical id. CloudFormation builds the physical name from it, so it reads well in a
 * console, and moving the construct within the tree does not replace a bucket or a table with an empty one.
 */
export function keepId<Construct extends IResource>(construct: Construct): Construct {
  const { defaultChild, id, path } = construct.node;
  if (!CfnResource.isCfnResource(defaultChild)) throw new Error(`${path} makes no single resource`);
  defaultChild.overrideLogicalId(id);
  return construct;
}
