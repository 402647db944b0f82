// Whether a deployed stack can work: its triggers, the recipients of its alarms, its quota. Reads only.
import {
  CloudFormationClient,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import {
  GetAccountSettingsCommand,
  GetEventSourceMappingCommand,
  type GetEventSourceMappingCommandOutput,
  GetFunctionConfigurationCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import packageJson from '#package.json' with { type: 'json' };
import type { ServiceCheck } from '#shared/request/messages.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { count, counted } from '#shared/text/wording.ts';

type Finding = Omit<ServiceCheck, 'check'>;
type IdsOf = (type: string) => readonly string[];

interface Stack {
  readonly idsOf: IdsOf;
  readonly lambda: LambdaClient;
  /** Read at the first call. */
  readonly mappings: () => Promise<readonly GetEventSourceMappingCommandOutput[]>;
}

/** In the order of the output. */
const checks: Readonly<Record<string, (stack: Stack) => Promise<Finding>>> = {
  version: compareVersions,
  triggers: findStoppedTriggers,
  alarms: findRecipients,
  concurrency: compareConcurrency,
};

/** Every check ends: one that may not read what it needs is `unknown`, with the reason of AWS. */
export async function examineStack(stack: string): Promise<readonly ServiceCheck[]> {
  const client = new CloudFormationClient(clientTimeouts);
  const resources: StackResourceSummary[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: stack })) {
    resources.push(...(page.StackResourceSummaries ?? []));
  }
  const idsOf: IdsOf = (type) =>
    resources.flatMap(({ ResourceType, PhysicalResourceId: id }) =>
      ResourceType === type && id !== undefined ? [id] : [],
    );
  const opened = stackTarget(idsOf);
  const found: ServiceCheck[] = [];
  for (const [check, run] of Object.entries(checks)) found.push({ check, ...(await run(opened).catch(notRead)) });
  return found;
}

const notRead = (error: unknown): Finding => ({
  state: 'unknown',
  answer: `AWS: ${error instanceof Error ? error.message : String(error)}`,
  advice: 'Use credentials that may read the stack.',
});

function stackTarget(idsOf: IdsOf): Stack {
  const lambda = new LambdaClient(clientTimeouts);
  let read: ReturnType<Stack['mappings']> | undefined;
  const readMappings = () =>
    Promise.all(
      idsOf('AWS::Lambda::EventSourceMapping').map((UUID) => lambda.send(new GetEventSourceMappingCommand({ UUID }))),
    );
  return { idsOf, lambda, mappings: () => (read ??= readMappings()) };
}

/** The product, its version and the step, as the template describes a function. CDK describes its own otherwise. */
const described = /^simporter (?:(\d\S*) )?(\S+)$/;

async function compareVersions({ idsOf, lambda }: Stack): Promise<Finding> {
  const aliases = idsOf('AWS::Lambda::Alias');
  const descriptions = await Promise.all(
    idsOf('AWS::Lambda::Function').map(async (name) => {
      // An alias may point to the previous release during or after a rollback.
      const FunctionName = aliases.find((alias) => alias.includes(`:function:${name}:`)) ?? name;
      return (await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }))).Description ?? '';
    }),
  );
  const functions = descriptions.flatMap((text) => {
    const [, version = 'without a version', name = ''] = described.exec(text) ?? [];
    return name === '' ? [] : [{ version, name }];
  });
  const byVersion = Map.groupBy(functions, ({ version }) => version);
  const answer = Array.from(
    byVersion,
    ([version, group]) => `${version}: ${group.map(({ name }) => name).join(', ')}`,
  ).join('; ');
  const own = packageJson.version;
  if (byVersion.size > 1) {
    return { state: 'error', answer, advice: 'Wait until the deployment has ended, or deploy the stack again.' };
  }
  if (byVersion.has(own)) return { state: 'ok', answer: `every function runs simporter ${own}, as this command does` };
  const advice = `This command is simporter ${own}: deploy the stack with it, or use the version of the stack.`;
  return { state: 'warning', answer: `every function runs simporter ${[...byVersion.keys()]}`, advice };
}

async function findStoppedTriggers({ idsOf, mappings }: Stack): Promise<Finding> {
  const client = new SchedulerClient(clientTimeouts);
  const schedules = await Promise.all(
    // The name of a schedule follows that of its group.
    idsOf('AWS::Scheduler::Schedule').map((id) =>
      client.send(new GetScheduleCommand({ Name: id.split(/[/|]/).at(-1) })),
    ),
  );
  const stopped = [
    ...schedules.filter(({ State }) => State !== 'ENABLED').map(({ Name }) => `the schedule ${Name}`),
    ...(await mappings())
      .filter(({ State }) => State !== 'Enabled')
      .map(({ FunctionArn }) => `the queue or stream of ${FunctionArn?.split(':')[6]}`),
  ];
  if (stopped.length === 0) return { state: 'ok', answer: 'every schedule, queue and stream is enabled' };
  const advice = 'Enable what is stopped, or deploy the stack again.';
  return { state: 'error', answer: `stopped: ${stopped.join(', ')}`, advice };
}

async function findRecipients({ idsOf }: Stack): Promise<Finding> {
  const client = new SNSClient(clientTimeouts);
  const open: string[] = [];
  let confirmed = 0;
  for (const TopicArn of idsOf('AWS::SNS::Topic')) {
    for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn })) {
      for (const { SubscriptionArn, Endpoint } of Subscriptions) {
        if (SubscriptionArn === 'PendingConfirmation') open.push(Endpoint ?? '');
        else confirmed += 1;
      }
    }
  }
  if (open.length > 0) {
    const advice = 'Follow the link in the mail of AWS, or deploy again if it has expired after three days.';
    return { state: 'warning', answer: `not confirmed: ${open.join(', ')}`, advice };
  }
  if (confirmed > 0) return { state: 'ok', answer: counted(confirmed, 'confirmed recipient') };
  const advice = 'Set alarmEmail, unless the alarms go to an own topic (alarmTopicArn).';
  return { state: 'warning', answer: 'the stack sends alarms to nobody', advice };
}

/** For the API, sync and what else runs in the account. */
const spareInvocations = 20;

async function compareConcurrency({ lambda, mappings }: Stack): Promise<Finding> {
  const settings = await lambda.send(new GetAccountSettingsCommand({}));
  const quota = settings.AccountLimit?.ConcurrentExecutions ?? 0;
  const needed = (await mappings()).reduce(
    (sum, { ScalingConfig }) => sum + (ScalingConfig?.MaximumConcurrency ?? 1),
    spareInvocations,
  );
  const answer = `${count(quota)} invocations at the same time, of which the stack needs up to ${count(needed)}`;
  if (quota >= needed) return { state: 'ok', answer };
  return { state: 'warning', answer, advice: 'Ask AWS for a larger quota of concurrent executions of Lambda.' };
}
