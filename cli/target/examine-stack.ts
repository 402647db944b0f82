// Whether a deployed stack can work: its functions, what invokes them, the recipients of its alarms, its quota. Reads
// only.
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import {
  GetAccountSettingsCommand,
  GetEventSourceMappingCommand,
  type GetEventSourceMappingCommandOutput,
  GetFunctionConcurrencyCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { paginateListSubscriptionsByTopic, SNSClient, type Subscription } from '@aws-sdk/client-sns';
import packageJson from '#package.json' with { type: 'json' };
import type { ServiceCheck } from '#shared/request/messages.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { count, counted } from '#shared/text/wording.ts';
import { toFinding } from '../context/format-error.ts';

type Finding = Omit<ServiceCheck, 'check'>;
type Mapping = GetEventSourceMappingCommandOutput;

/** What several checks need is read once. A check fails where its own readings fail, and only there. */
interface Stack {
  readonly name: string;
  readonly lambda: LambdaClient;
  readonly resources: () => Promise<readonly StackResourceSummary[]>;
  /** The ids of the stack's resources of a type. */
  readonly idsOf: (type: string) => Promise<readonly string[]>;
  /** By the ids of the functions; undefined for one that does not exist any more. */
  readonly reserved: () => Promise<ReadonlyMap<string, { readonly executions: number | undefined } | undefined>>;
  /** undefined for one that does not exist any more. */
  readonly mappings: () => Promise<readonly (Mapping | undefined)[]>;
}

/** In the order of the output. */
const checks: Readonly<Record<string, (stack: Stack) => Promise<Finding | undefined>>> = {
  version: compareVersions,
  functions: findStoppedFunctions,
  triggers: findStoppedTriggers,
  alarms: findRecipientsOfAlarms,
  digest: findRecipientsOfDigest,
  concurrency: compareConcurrency,
};

/** Every check ends: one that may not read what it needs is `unknown`, with the reason of AWS. */
export async function examineStack(name: string): Promise<readonly ServiceCheck[]> {
  const stack = openStack(name);
  const found: ServiceCheck[] = [];
  for (const [check, run] of Object.entries(checks)) {
    const finding = await run(stack).catch((error: unknown) => toFinding(error, 'unknown'));
    if (finding !== undefined) found.push({ check, ...finding });
  }
  return found;
}

function openStack(name: string): Stack {
  const lambda = new LambdaClient(clientTimeouts);
  const resources = once(() => listResources(name));
  const idsOf = async (type: string) =>
    (await resources()).flatMap(({ ResourceType, PhysicalResourceId: id }) =>
      ResourceType === type && id !== undefined ? [id] : [],
    );
  const readReserved = async (FunctionName: string) => {
    const answer = await lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }));
    return { executions: answer.ReservedConcurrentExecutions };
  };
  return {
    name,
    lambda,
    resources,
    idsOf,
    reserved: once(async () => {
      const read = async (id: string) => [id, await ifExists(readReserved(id))] as const;
      return new Map(await Promise.all((await idsOf('AWS::Lambda::Function')).map(read)));
    }),
    mappings: once(async () => {
      const read = (UUID: string) => ifExists(lambda.send(new GetEventSourceMappingCommand({ UUID })));
      return Promise.all((await idsOf('AWS::Lambda::EventSourceMapping')).map(read));
    }),
  };
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => (reading ??= read());
}

/** A person may have deleted what is in the stack. */
const ifExists = <Value>(reading: Promise<Value>): Promise<Value | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  });

async function listResources(StackName: string): Promise<readonly StackResourceSummary[]> {
  const client = new CloudFormationClient(clientTimeouts);
  const resources: StackResourceSummary[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    resources.push(...(page.StackResourceSummaries ?? []));
  }
  return resources;
}

/** The product, its version and the step, as the template describes a function. CDK describes its own otherwise. */
const described = /^simporter (?:(\d\S*) )?(\S+)$/;

async function compareVersions({ idsOf, lambda }: Stack): Promise<Finding> {
  const aliases = await idsOf('AWS::Lambda::Alias');
  const descriptions = await Promise.all(
    (await idsOf('AWS::Lambda::Function')).map(async (name) => {
      // An alias may point to the previous release during or after a rollback.
      const FunctionName = aliases.find((alias) => alias.includes(`:function:${name}:`)) ?? name;
      const found = await ifExists(lambda.send(new GetFunctionConfigurationCommand({ FunctionName })));
      return found?.Description ?? '';
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
  if (byVersion.size === 0)
    return { state: 'error', answer: 'the stack has no function of simporter', advice: redeploy };
  if (byVersion.size > 1) {
    return { state: 'error', answer, advice: 'Wait until the deployment has ended, or deploy the stack again.' };
  }
  if (byVersion.has(own)) return { state: 'ok', answer: `every function runs simporter ${own}, as this command does` };
  const advice = `This command is simporter ${own}: deploy the stack with it, or use the version of the stack.`;
  return { state: 'warning', answer: `every function runs simporter ${[...byVersion.keys()]}`, advice };
}

const redeploy = 'Deploy the stack with --revert-drift.';
/** A deployment does not notice what was stopped, because the template has not changed. */
export const howToEnable = 'To enable it again: docs/guides/recovery.md#enable-what-was-stopped';

async function findStoppedFunctions({ reserved }: Stack): Promise<Finding> {
  const functions = [...(await reserved())];
  const missing = functions.filter(([, found]) => found === undefined).map(([name]) => name);
  if (missing.length > 0) return { state: 'error', answer: `deleted: ${missing.join(', ')}`, advice: redeploy };
  const stopped = functions.filter(([, found]) => found?.executions === 0).map(([name]) => name);
  if (stopped.length === 0) return { state: 'ok', answer: 'every function exists and may run' };
  const answer = `stopped, because the reserved concurrency is 0: ${stopped.join(', ')}`;
  return { state: 'error', answer, advice: howToEnable };
}

/** A mapping in any other state is enabled, or about to be: an update of its function lasts for a minute. */
const stoppedStates: readonly (string | undefined)[] = ['Disabled', 'Disabling', 'Deleting'];

async function findStoppedTriggers({ idsOf, mappings }: Stack): Promise<Finding> {
  const client = new SchedulerClient(clientTimeouts);
  const schedules = await Promise.all(
    (await idsOf('AWS::Scheduler::Schedule')).map(async (id) => {
      // The name of a schedule follows that of its group.
      const Name = id.split(/[/|]/).at(-1) ?? id;
      return { Name, State: (await ifExists(client.send(new GetScheduleCommand({ Name }))))?.State };
    }),
  );
  const sources = await mappings();
  const isMissing = schedules.some(({ State }) => State === undefined) || sources.includes(undefined);
  const stopped = [
    ...schedules.filter(({ State }) => State !== 'ENABLED').map(({ Name }) => `the schedule ${Name}`),
    ...sources.flatMap((source) => {
      if (source === undefined) return ['the source of a function, which was deleted'];
      return stoppedStates.includes(source.State) ? [`the queue or stream of ${functionOf(source)}`] : [];
    }),
  ];
  if (stopped.length > 0) {
    return { state: 'error', answer: `stopped: ${stopped.join(', ')}`, advice: isMissing ? redeploy : howToEnable };
  }
  const changing = sources.filter((source) => source?.State !== 'Enabled');
  if (changing.length === 0) return { state: 'ok', answer: 'every schedule, queue and stream is enabled' };
  const states = changing.map((source) => `that of ${source && functionOf(source)} is ${source?.State}`);
  return { state: 'ok', answer: `every schedule, queue and stream is enabled, or about to be: ${states.join(', ')}` };
}

const functionOf = ({ FunctionArn }: Mapping): string => FunctionArn?.split(':')[6] ?? 'a function';

/** Every other topic of the stack is notified by its alarms. */
const digestTopic = 'DigestMail';

async function findRecipientsOfAlarms(stack: Stack): Promise<Finding> {
  const topics = await topicsOf(stack, (id) => id !== digestTopic);
  const own = await outputOf(stack.name, 'AlarmTopicArn');
  if (own !== undefined) topics.push(own);
  if (topics.length === 0 && (await stack.idsOf('AWS::CloudWatch::Alarm')).length === 0) {
    return { state: 'ok', answer: 'the environment has no alarms, because its settings name no recipient' };
  }
  const advice = 'Set alarms.email, or subscribe somebody to the topic.';
  return describeRecipients(topics, { state: 'warning', answer: 'the stack sends alarms to nobody', advice });
}

async function findRecipientsOfDigest(stack: Stack): Promise<Finding | undefined> {
  const topics = await topicsOf(stack, (id) => id === digestTopic);
  if (topics.length === 0) return undefined;
  return describeRecipients(topics, {
    state: 'warning',
    answer: 'the stack sends the digest to nobody',
    advice: 'Set digestEmail, or remove it and deploy the stack again.',
  });
}

const topicsOf = async ({ resources }: Stack, where: (logicalId: string | undefined) => boolean): Promise<string[]> =>
  (await resources()).flatMap(({ ResourceType, LogicalResourceId, PhysicalResourceId: arn }) =>
    ResourceType === 'AWS::SNS::Topic' && arn !== undefined && where(LogicalResourceId) ? [arn] : [],
  );

async function outputOf(StackName: string, name: string): Promise<string | undefined> {
  const client = new CloudFormationClient(clientTimeouts);
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
  return Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
}

async function describeRecipients(topics: readonly string[], nobody: Finding): Promise<Finding> {
  const client = new SNSClient(clientTimeouts);
  const subscriptions: Subscription[] = [];
  for (const TopicArn of topics) {
    for await (const page of paginateListSubscriptionsByTopic({ client }, { TopicArn })) {
      subscriptions.push(...(page.Subscriptions ?? []));
    }
  }
  const open = subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn === 'PendingConfirmation');
  if (open.length > 0) {
    const answer = `not confirmed: ${open.map(({ Endpoint }) => Endpoint).join(', ')}`;
    const advice = 'Follow the link in the mail of AWS, or deploy again if it has expired after three days.';
    return { state: 'warning', answer, advice };
  }
  // One that ended has no ARN any more.
  const confirmed = subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn?.startsWith('arn:')).length;
  return confirmed > 0 ? { state: 'ok', answer: counted(confirmed, 'confirmed recipient') } : nobody;
}

/** Lambda keeps as many of the account for functions that reserve none, and declines a reservation that needs them. */
const alwaysUnreserved = 100;

async function compareConcurrency({ idsOf, lambda, reserved, mappings }: Stack): Promise<Finding> {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
  const executions = new Map([...(await reserved())].map(([name, found]) => [name, found?.executions]));
  const own = [...executions.values()].reduce<number>((sum, one = 0) => sum + one, 0);
  // With those of the console and of other stacks.
  const all = Math.max(own, unreserved === undefined ? 0 : quota - unreserved);
  const shared = (await mappings())
    .filter((source) => source !== undefined && executions.get(functionOf(source)) === undefined)
    .reduce((sum, source) => sum + (source?.ScalingConfig?.MaximumConcurrency ?? 1), 0);
  // Without a reservation, a run of sync is one of them.
  const left =
    all === 0 ? shared + (await idsOf('AWS::Scheduler::Schedule')).length : Math.max(shared, alwaysUnreserved);
  const parts = all === 0 ? '' : `: ${count(all)} reserved, and ${count(left)} for all other functions`;
  const answer = `${count(quota)} invocations at the same time, of which ${count(all + left)} are needed${parts}`;
  if (quota >= all + left) return { state: 'ok', answer };
  return { state: 'warning', answer, advice: 'Request a higher limit: "Concurrent executions" in Service Quotas.' };
}
