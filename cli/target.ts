// Where a command works: a deployed stack, the local engine that runs, or an engine of its own that ends with it.
import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type EngineFile, findRunningEngine } from '#local/directory.ts';
import { type AwsClients, createAwsClients, documentClient } from '#shared/aws/clients.ts';
import { createDeadLetters, type DeadLetters } from '#shared/aws/dead-letters.ts';
import { createDrifts, type Drifts } from '#shared/aws/drifts.ts';
import { createFiles, type Files } from '#shared/aws/files.ts';
import { createImports, type Imports } from '#shared/aws/imports.ts';
import { createNumbers, type Numbers } from '#shared/aws/numbers.ts';
import { createPaceStore, type PaceStore } from '#shared/aws/pace-store.ts';
import { createPorts, type Ports } from '#shared/aws/ports.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { createRequests, type Requests } from '#shared/aws/requests.ts';
import { type Decide, type DecisionAnswer, type DecisionWish, decisionAnswer } from '#shared/domain/decision.ts';
import type { ApprovalMessage, RescheduleMessage } from '#shared/domain/plan.ts';
import { type SyncAnswer, type SyncWish, syncAnswer } from '#shared/domain/sync-wish.ts';
import { acceleratedClock, type Clock } from '#shared/runtime/clock.ts';
import { Failure } from './failure.ts';
import { type Resources, readResources } from './resources.ts';
import type { Session } from './session.ts';
import { stackOutputs } from './stack.ts';

export interface Target {
  readonly kind: 'stack' | 'engine' | 'ephemeral';
  readonly resources: Resources;
  readonly s3: S3Client;
  readonly files: Files;
  readonly imports: Imports;
  readonly requests: Requests;
  readonly numbers: Numbers;
  readonly ports: Ports;
  readonly drifts: Drifts;
  /** The pace of calls to the service, and whether it is down. */
  readonly pace: PaceStore['get'];
  readonly deadLetters: DeadLetters;
  /** A link that uploads to `key` of the inbox, and nowhere else, for so many seconds: for a partner without credentials. */
  uploadUrl(key: string, seconds: number): Promise<string>;
  /** Tells ingest to release the plan of an import. */
  approve(approval: ApprovalMessage): Promise<void>;
  /** Tells ingest to move the ports of an import to another date. */
  reschedule(wish: RescheduleMessage): Promise<void>;
  /** Runs sync once, now, with a new token for the secret as stored, and waits for its end. */
  sync(): Promise<SyncAnswer>;
  /** Tells sync what a person decided about a request; `busy` while a run is at work. */
  decide(wish: Decide): Promise<DecisionAnswer | 'busy'>;
  close(): Promise<void>;
}

export interface EngineWish {
  /** Calendar time against wall time; undefined goes on as the last run on the folder did. */
  readonly speed: number | undefined;
  /** Where its data stays; without one it ends with the engine. */
  readonly directory?: string;
  /** Ends a start half-way, as Ctrl-C wants it. */
  readonly signal: AbortSignal;
}

/** What an engine tells of itself. */
export interface EngineFacts {
  readonly endpoints: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly speed: number;
  /** Calendar time: where the speed is not 1, ahead of the wall clock. */
  readonly calendar: Clock;
}

/**
 * Opens the target that the options name, hands it to `use`, and closes it whatever happens.
 * With `ephemeral` a command that finds no engine starts one of its own; without it that is a failure.
 */
export async function withTarget<Result>(
  session: Session,
  use: (target: Target) => Promise<Result>,
  ephemeral?: { readonly speed: number },
): Promise<Result> {
  const target = await findTarget(session);
  if (target !== undefined) return closing(target, use);
  const { directory } = session.options;
  if (ephemeral === undefined) {
    throw new Failure(`No engine is running on ${directory}.`, {
      advice: 'Start one in another terminal: npm start. Or name a deployed stack: --stack NAME',
    });
  }
  const { note, notePaint } = session.terminal;
  note(notePaint('dim', 'No engine is running: starting one that ends with this command.'));
  return withEngine({ ...ephemeral, signal: session.signal }, use);
}

/** The same for a command that can do without: undefined where no stack is named and no engine runs. */
export async function withTargetIfAny<Result>(
  session: Session,
  use: (target: Target) => Promise<Result>,
): Promise<Result | undefined> {
  const target = await findTarget(session);
  return target && closing(target, use);
}

async function findTarget(session: Session): Promise<Target | undefined> {
  const { stack } = session.options;
  if (stack !== undefined) return openStack(stack, session.env);
  const engine = await runningEngine(session);
  return engine && assemble('engine', engine.outputs, localClients(engine.endpoints));
}

/** The engine that runs on the folder of the options; undefined where none does. */
export const runningEngine = ({ folder, options: { directory } }: Session): Promise<EngineFile | undefined> =>
  findRunningEngine(resolve(folder, directory));

/** Runs an engine in this process for as long as `use` takes. */
export async function withEngine<Result>(
  wish: EngineWish,
  use: (target: Target, engine: EngineFacts) => Promise<Result>,
): Promise<Result> {
  // Loaded only here: it brings the whole CDK with it, which no other command should wait for.
  const { startEngine } = await import('#local/engine.ts');
  const engine = await startEngine(wish);
  try {
    const kind = wish.directory === undefined ? 'ephemeral' : 'engine';
    const target = assemble(kind, engine.outputs, localClients(engine.endpoints));
    const { origin, speed } = engine.calendar;
    const calendar = acceleratedClock(origin, speed);
    const facts = { endpoints: { ...engine.endpoints }, outputs: engine.outputs, speed, calendar };
    return await closing(target, (opened) => use(opened, facts));
  } finally {
    await engine.stop();
  }
}

async function closing<Result>(target: Target, use: (target: Target) => Promise<Result>): Promise<Result> {
  try {
    return await use(target);
  } finally {
    await target.close();
  }
}

interface Clients extends AwsClients {
  readonly lambda: LambdaClient;
}

async function openStack(name: string, env: Session['env']): Promise<Target> {
  const outputs = await stackOutputs(name);
  return assemble('stack', outputs, { ...createAwsClients(env), lambda: new LambdaClient({}) });
}

interface LocalEndpoints {
  readonly s3: string;
  readonly sqs: string;
  readonly dynamodb: string;
  readonly lambda: string;
}

function localClients(endpoints: LocalEndpoints): Clients {
  const local = { region: 'eu-west-2', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  return {
    s3: new S3Client({ ...local, endpoint: endpoints.s3, forcePathStyle: true }),
    sqs: new SQSClient({ ...local, endpoint: endpoints.sqs }),
    table: documentClient(new DynamoDBClient({ ...local, endpoint: endpoints.dynamodb })),
    lambda: new LambdaClient({ ...local, endpoint: endpoints.lambda }),
  };
}

function assemble(kind: Target['kind'], outputs: Readonly<Record<string, string>>, clients: Clients): Target {
  const resources = readResources(outputs, kind === 'stack' ? 'The stack' : 'The engine');
  const { table } = clients;
  return {
    kind,
    resources,
    s3: clients.s3,
    files: createFiles(clients.s3),
    imports: createImports(table, resources.resultsTable),
    requests: createRequests(table, resources.resultsTable),
    numbers: createNumbers(table, resources.resultsTable),
    ports: createPorts(table, resources.resultsTable),
    drifts: createDrifts(table, resources.resultsTable),
    pace: createPaceStore(table, resources.resultsTable, resources.account).get,
    deadLetters: createDeadLetters(clients.sqs),
    uploadUrl: (key, seconds) => signUpload(clients.s3, resources.inboxBucket, key, seconds),
    approve: (approval) => createQueues(clients.sqs).send(resources.ingestQueueUrl, [approval]),
    reschedule: (wish) => createQueues(clients.sqs).send(resources.ingestQueueUrl, [wish]),
    sync: () => invokeRun(clients.lambda, resources.syncFunction),
    decide: (wish) => invokeDecision(clients.lambda, resources.syncFunction, wish),
    close: async () => {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

async function signUpload(s3: S3Client, bucket: string, key: string, seconds: number): Promise<string> {
  const { region, credentials, forcePathStyle, endpoint } = s3.config;
  const signer = new S3Client({
    ...{ region, credentials, forcePathStyle },
    ...(endpoint === undefined ? {} : { endpoint }),
    // By default the signature would cover the checksum of a file, which nobody has yet.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return getSignedUrl(signer, new PutObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: seconds });
}

/** Its answer, as JSON. */
async function invokeSync(lambda: LambdaClient, name: string, event: unknown): Promise<unknown> {
  const answer = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) }));
  const payload: unknown = JSON.parse(answer.Payload?.transformToString() || '{}');
  if (answer.FunctionError === undefined) return payload;
  const { errorMessage } = payload as { errorMessage?: string };
  throw new Failure(`Sync ended with an error: ${errorMessage ?? answer.FunctionError}.`, {
    advice: `The log of ${name} has the whole story.`,
  });
}

/** The function runs once at a time: where it is at work, that is a run too. */
async function invokeRun(lambda: LambdaClient, name: string): Promise<SyncAnswer> {
  const wish: SyncWish = { checkSecret: true };
  try {
    return syncAnswer.parse(await invokeSync(lambda, name, wish));
  } catch (error) {
    if (error instanceof TooManyRequestsException) return { skipped: true, left: 0 };
    throw error;
  }
}

async function invokeDecision(lambda: LambdaClient, name: string, decide: Decide): Promise<DecisionAnswer | 'busy'> {
  try {
    const answer = decisionAnswer.safeParse(await invokeSync(lambda, name, { decide } satisfies DecisionWish));
    if (answer.success) return answer.data;
  } catch (error) {
    if (error instanceof TooManyRequestsException) return 'busy';
    throw error;
  }
  throw new Failure('Nothing was changed: the sync that is deployed takes no decisions.', {
    advice: 'Deploy this version first.',
  });
}
