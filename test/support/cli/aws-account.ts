// An AWS account with one stack of simporter, as far as `doctor` and `sync` ask for it: a server that answers in the
// shapes of AWS. A test states what differs from an account in which everything is as it should be.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import packageJson from '#package.json' with { type: 'json' };

export const { version } = packageJson;

export interface AwsAccount {
  /** Type, logical id, physical id. */
  readonly resources: readonly (readonly [string, string, string])[];
  readonly outputs: Readonly<Record<string, string>>;
  /** By function, or by function and alias. */
  readonly descriptions: Readonly<Record<string, string>>;
  /** Reserved concurrency by function; the others have none. */
  readonly reserved: Readonly<Record<string, number>>;
  /** Functions and schedules that a person deleted. */
  readonly deleted: readonly string[];
  readonly schedule: 'ENABLED' | 'DISABLED';
  /** States of the event source mappings by their ids, where they are not enabled. */
  readonly mappings: Readonly<Record<string, string>>;
  /** What an event source mapping invokes. @default - the function that its id names, at most 40 times at once */
  readonly sources: Readonly<Record<string, { readonly function: string; readonly concurrency: number | undefined }>>;
  /** ARNs of subscriptions, by the names of topics. */
  readonly subscriptions: Readonly<Record<string, readonly string[]>>;
  readonly quota: number;
  readonly unreserved: number | undefined;
  /** Counts of messages by the names of queues. */
  readonly messages: Readonly<Record<string, number>>;
  /** Why Lambda starts no invocation. */
  readonly throttle: string | undefined;
  /** Actions that the caller may not do, such as `GetSchedule`. */
  readonly denied: readonly string[];
}

const arn = (service: string, name: string): string => `arn:aws:${service}:eu-west-2:123456789012:${name}`;
export const topicArn = (name: string): string => arn('sns', name);
/** Clients call a queue at the host of its URL, so the server puts its own there. */
const host = 'https://sqs.eu-west-2.amazonaws.com';
const queueUrl = (name: string): string => `${host}/123456789012/${name}`;

const workQueues = ['Ingest', 'Command', 'Submit', 'Report'];
const outputs = {
  InboxBucket: 'inbox',
  WorkBucket: 'work',
  ResultsBucket: 'results',
  ResultsTable: 'table',
  ...Object.fromEntries(workQueues.map((name) => [`${name}QueueUrl`, queueUrl(`${name}Queue`)])),
  SyncMissedRunsUrl: queueUrl('SyncMissedRuns'),
  AnnounceDeadLettersUrl: queueUrl('AnnounceDeadLetters'),
  EventDeadLettersUrl: queueUrl('EventDeadLetters'),
  SyncFunction: 'sync:live',
  ServiceBaseUrl: 'https://porting.example.net',
  PortingAccount: '4711@https://porting.example.net',
  CallingCode: '44',
};

const functions = ['ingest', 'submit', 'sync', 'notifications'];
export const sound: AwsAccount = {
  resources: [
    ['AWS::Scheduler::Schedule', 'Schedule', 'sync-every-five-minutes'],
    ['AWS::Lambda::EventSourceMapping', 'IngestSource', 'ingest-source'],
    ['AWS::Lambda::EventSourceMapping', 'SubmitSource', 'submit-source'],
    ['AWS::CloudWatch::Alarm', 'SyncStopped', 'simporter-prod-sync-stopped'],
    ['AWS::SNS::Topic', 'AlarmMail', topicArn('alarms')],
    ...functions.map((name) => ['AWS::Lambda::Function', `${name}Function`, name] as const),
    ['AWS::Lambda::Alias', 'SubmitLive', arn('lambda', 'function:submit:live')],
  ],
  outputs,
  descriptions: {
    ingest: `simporter ${version} ingest`,
    'submit:live': `simporter ${version} submit`,
    submit: 'simporter 9.9.9 submit',
    sync: `simporter ${version} sync`,
    notifications: 'AWS CloudFormation handler for "Custom::S3BucketNotifications" resources',
  },
  reserved: { submit: 10, sync: 1 },
  deleted: [],
  schedule: 'ENABLED',
  mappings: {},
  sources: {},
  subscriptions: { alarms: [arn('sns', 'alarms:0a1b')] },
  quota: 1000,
  unreserved: 954,
  messages: {},
  throttle: undefined,
  denied: [],
};

class Declined extends Error {
  readonly status: number;
  constructor(name: string, message: string, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

const member = (content: string): string => `<member>${content}</member>`;
const tag = (name: string, content: string): string => `<${name}>${content}</${name}>`;

/** The services with the Query protocol. */
const queries: Readonly<Record<string, (account: AwsAccount, form: URLSearchParams) => string>> = {
  ListStackResources: ({ resources }) =>
    tag(
      'StackResourceSummaries',
      resources
        .map(([type, logical, physical]) =>
          member(tag('ResourceType', type) + tag('LogicalResourceId', logical) + tag('PhysicalResourceId', physical)),
        )
        .join(''),
    ),
  DescribeStacks: (account) => {
    const shown = Object.entries(account.outputs).map(([name, value]) =>
      member(tag('OutputKey', name) + tag('OutputValue', value)),
    );
    const times = tag('StackName', 'simporter-prod') + tag('CreationTime', '2026-07-01T00:00:00Z');
    return tag('Stacks', member(times + tag('StackStatus', 'CREATE_COMPLETE') + tag('Outputs', shown.join(''))));
  },
  ListSubscriptionsByTopic: ({ subscriptions }, form) => {
    const found = subscriptions[form.get('TopicArn')?.split(':').at(-1) ?? ''] ?? [];
    const shown = found.map((one) => member(tag('SubscriptionArn', one) + tag('Endpoint', 'ops@example.com')));
    return tag('Subscriptions', shown.join(''));
  },
};

/** The paths of Lambda and EventBridge Scheduler, each with its action. */
const paths: readonly (readonly [RegExp, string, (account: AwsAccount, name: string) => unknown])[] = [
  [
    /\/functions\/([^/]+)\/invocations$/,
    'Invoke',
    ({ throttle }) => {
      if (throttle === undefined) return { checks: [{ check: 'access', state: 'ok', answer: 'accepted' }] };
      throw Object.assign(new Declined('TooManyRequestsException', 'Rate Exceeded.', 429), { reason: throttle });
    },
  ],
  [
    /\/functions\/([^/]+)\/concurrency$/,
    'GetFunctionConcurrency',
    ({ reserved }, name) => {
      if (name.includes(':')) throw new Declined('InvalidParameterValueException', 'a function has no qualifier here');
      return { ReservedConcurrentExecutions: reserved[name] };
    },
  ],
  [
    /\/functions\/([^/]+)\/configuration$/,
    'GetFunctionConfiguration',
    ({ descriptions }, name) => ({ Description: descriptions[name] }),
  ],
  [
    /\/event-source-mappings\/([^/]+)$/,
    'GetEventSourceMapping',
    ({ mappings, sources }, id) => {
      const { function: name, concurrency } = sources[id] ?? { function: id.replace('-source', ''), concurrency: 40 };
      return {
        State: mappings[id] ?? 'Enabled',
        FunctionArn: arn('lambda', `function:${name}:live`),
        ...(concurrency !== undefined && { ScalingConfig: { MaximumConcurrency: concurrency } }),
      };
    },
  ],
  [
    /\/account-settings/,
    'GetAccountSettings',
    ({ quota, unreserved }) => ({
      AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved },
    }),
  ],
  [/\/schedules\/([^/?]+)/, 'GetSchedule', ({ schedule }, Name) => ({ Name, State: schedule })],
];

const queueRequests: Readonly<
  Record<string, (account: AwsAccount, name: string, wanted: readonly string[]) => unknown>
> = {
  GetQueueUrl: (_, name) => ({ QueueUrl: queueUrl(name) }),
  GetQueueAttributes: ({ messages }, name, [attribute = '']) => ({
    Attributes: {
      [attribute]:
        attribute === 'RedrivePolicy'
          ? JSON.stringify({ deadLetterTargetArn: arn('sqs', name.replace('Queue', 'DeadLetters')) })
          : String(messages[name] ?? 0),
    },
  }),
};

const checkPermission = ({ denied }: AwsAccount, action: string): void => {
  if (denied.includes(action)) throw new Declined('AccessDeniedException', `not authorized to perform ${action}`, 403);
};

function answer(account: AwsAccount, { url = '', headers }: IncomingMessage, body: string): string {
  const target = String(headers['x-amz-target'] ?? '');
  // The table is empty.
  if (target.startsWith('DynamoDB_')) return '{}';
  if (target.startsWith('AmazonSQS.')) {
    const action = target.slice('AmazonSQS.'.length);
    checkPermission(account, action);
    const { QueueName, QueueUrl = '', AttributeNames = [] } = JSON.parse(body);
    return JSON.stringify(queueRequests[action]?.(account, QueueName ?? QueueUrl.split('/').at(-1), AttributeNames));
  }
  const form = new URLSearchParams(body);
  const action = form.get('Action');
  if (action !== null) {
    checkPermission(account, action);
    return tag(`${action}Response`, tag(`${action}Result`, queries[action]?.(account, form) ?? ''));
  }
  for (const [path, named, respond] of paths) {
    const found = path.exec(decodeURIComponent(url.split('?')[0] ?? ''));
    if (found === null) continue;
    checkPermission(account, named);
    const name = (found[1] ?? '').replace(arn('lambda', 'function:'), '');
    if (account.deleted.includes(name.split(':')[0] ?? '')) {
      throw new Declined('ResourceNotFoundException', `there is no ${name}`, 404);
    }
    return JSON.stringify(respond(account, name));
  }
  throw new Error(`nothing answers ${url} ${target}`);
}

/** Every AWS client of the test calls the account, until the test ends. */
export async function useAwsAccount(changes: Partial<AwsAccount> = {}): Promise<void> {
  const account = { ...sound, ...changes };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      response.end(answer(account, request, body).replaceAll(host, `http://${request.headers.host}`));
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      const { name, message, status } = error;
      const isQuery = new URLSearchParams(body).has('Action');
      response.writeHead(status, { 'x-amzn-errortype': name });
      const reason = 'reason' in error ? { Reason: error.reason } : {};
      const asXml = tag('ErrorResponse', tag('Error', tag('Code', name) + tag('Message', message)));
      response.end(isQuery ? asXml : JSON.stringify({ __type: name, message, ...reason }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (const [name, value] of Object.entries({
    AWS_REGION: 'eu-west-2',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    // A declined call is repeated after a pause otherwise.
    AWS_MAX_ATTEMPTS: '1',
  })) {
    vi.stubEnv(name, value);
  }
}
