// Settings that a deployment changes only where a person confirms it: which files wait for an approver, whose pages may
// upload to the inbox, and which account of which service gets the work. Each is also a parameter of the stack. `cdk
// deploy` keeps the parameters of the running stack, so that rules of the template compare them with the settings, and
// CloudFormation refuses the deployment before it changes anything.
import { CfnParameter, CfnRule, Fn, Lazy, Stack, Token } from 'aws-cdk-lib';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { portingAccount } from '#shared/text/identity.ts';
import { approvalMode, serviceOf } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';

export class ConfirmedSettings extends Construct {
  constructor(scope: Construct, id: string, configuration: Configuration, inbox: Bucket) {
    super(scope, id);
    this.confirm('Approval', 'which files wait for an approver', approvalMode(configuration));
    this.confirm('ConsoleOrigin', 'the address of the console, whose pages may upload', originOf(inbox));
    const account = portingAccount(serviceOf(configuration));
    // A parameter has no value that only the deployment knows.
    const known = Token.isUnresolved(account) ? 'of-this-app' : account;
    this.confirm('PortingAccount', 'the account at the porting service', known);
  }

  private confirm(name: string, what: string, value: string): void {
    const { stackName } = Stack.of(this);
    const parameter = new CfnParameter(this, name, {
      description: `As in the running stack: ${what}. Only the person who changes it sets this parameter.`,
      default: value,
    });
    parameter.overrideLogicalId(name);
    const rule = new CfnRule(this, `${name}Rule`, {
      assertions: [
        {
          assert: Fn.conditionEquals(parameter, value),
          assertDescription:
            `The settings change ${what}, to ${value}. ` +
            `To confirm the change, deploy with --parameters ${stackName}:${name}=${value}`,
        },
      ],
    });
    rule.overrideLogicalId(`Confirm${name}`);
  }
}

/** As the bucket has it in the end: a console adds its address later. */
const originOf = (inbox: Bucket): string =>
  Lazy.uncachedString({
    produce: ({ resolve }) => {
      const cors = resolve((inbox.node.defaultChild as CfnBucket).corsConfiguration);
      return cors?.corsRules[0]?.allowedOrigins[0] ?? 'none';
    },
  });
