// The stack of the console. It exists only with `--context console=true`.
import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { addConsole, type ConsoleSettings } from './console.ts';

export type ConsoleStackProps = Omit<ConsoleSettings, 'builtFiles'>;

export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, props: ConsoleStackProps) {
    const { stage, production, deployment } = props.configuration;
    super(scope, id, {
      description: `simporter (${stage}): the console and its API`,
      terminationProtection: production,
      tags: { product: 'simporter', stage },
      ...(deployment ? { env: deployment } : {}),
    });
    addConsole(this, { ...props, builtFiles: 'build/console' });
  }
}
