// The API over the simulated pipeline: the real handlers of ingest, submit, sync and report on virtual time, with the
// real porting simulator. It is called as on Lambda, every answer must be short enough for Lambda, and is checked
// against the API's own OpenAPI document.
import type { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ApiSettings, ApiWriter } from '#functions/api/context.ts';
import { type Api, bindEndpoints, createApi, createIdempotency } from '#functions/api/http/app.ts';
import type { Caller } from '#functions/api/http/endpoint.ts';
import { createApiHandler } from '#functions/api/http/lambda.ts';
import { openApiDocument } from '#functions/api/openapi-document.ts';
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { writeEndpoints } from '#functions/api/write/endpoints.ts';
import { limits } from '#local/limits.ts';
import { apiPrefix, type Role } from '#shared/api/agreed-names.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { Log, LogFields } from '#shared/runtime/logger.ts';
import { openStores } from '#shared/store/account.ts';
import { createMultipartUploads } from '#shared/store/browser-files.ts';
import { createIdempotencyStore } from '#shared/store/idempotency-keys.ts';
import { createAnswerChecker, type Document } from '#simulator/proxy/answer-checker.ts';
import { createDice } from '../../chaos/dice.ts';
import { put, settle } from '../../chaos/drive.ts';
import { noFaults } from '../../chaos/faults.ts';
import { account as ownAccount } from '../../chaos/network.ts';
import { buckets, queueUrl, table } from '../../chaos/pipeline.ts';
import { csvTextOf, type Row } from '../../chaos/scenario.ts';
import { createWorld, type World } from '../../chaos/world.ts';
import { requireGranted } from '../infra/granted-permissions.ts';
import { accountSettings, countedLookups, monday } from '../ingest/catalogue.ts';
import { problemOf } from '../service/openapi-answers.ts';
import { silentLog } from '../steps/test-pipeline.ts';
import { apiSettings } from './api-settings.ts';

const start = Date.parse('2026-07-06T09:00:00Z');
/** The same for every world: to make the document, and to compile its schemas, takes longer than many tests. */
const document = openApiDocument({ hasSimulator: false });
const checker = createAnswerChecker(document as unknown as Document);

export interface ApiRequest {
  /** Who calls; null without a token. @default an operator */
  readonly as?: Caller | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly body: any;
}

export interface ApiWorld {
  readonly world: World;
  readonly api: Api;
  /** The fields of each entry of the log. */
  readonly logged: readonly LogFields[];
  call(method: string, path: string, request?: ApiRequest): Promise<ApiReply>;
  /** Uploads rows below plan/ and waits until they are planned. Answers the id of the import. */
  plan(name: string, rows: readonly Row[]): Promise<string>;
  /** Approves the plan and waits until its messages are processed. */
  approve(importId: string): Promise<void>;
  /** The same as `plan`, approved, submitted and read once. */
  send(name: string, rows: readonly Row[]): Promise<string>;
  /** Time passes, and sync runs at the end of it. */
  pass(milliseconds: number): Promise<void>;
}

export const person = (name: string, ...roles: readonly Role[]): Caller => ({ id: `id-of-${name}`, name, roles });
export const operator = person('olga@example.com', 'operator');

type ApiRole = 'ApiReadRole' | 'ApiWriteRole';
type OnCommand = (role: ApiRole, command: { readonly input: object }) => void;

/** The clients of a function of the API: its role allows no other command. */
function clientsOf(world: World, role: ApiRole, onCommand: OnCommand = () => {}) {
  const guarded = (twin: World['table'] | World['bucket']) => ({
    send: async (command: { readonly input: object }) => {
      onCommand(role, command);
      requireGranted(role, command);
      return twin.send(command);
    },
  });
  return {
    s3: guarded(world.bucket) as unknown as S3Client,
    table: guarded(world.table) as unknown as DynamoDBDocumentClient,
    sqs: undefined as never,
  };
}

function writerOn(
  world: World,
  clients: ReturnType<typeof clientsOf>,
  changes: Partial<ApiSettings>,
  account: string,
): ApiWriter {
  let ids = 0;
  return {
    settings: { ...apiSettings, ...changes },
    recordRetentionDays: 730,
    resources: { account, callingCode: '44', resultsBucket: buckets.results, workBucket: buckets.work },
    inboxBucket: buckets.inbox,
    ...openStores(clients, { resultsTable: table, account }),
    links: {
      download: async ({ key }, fileName) => `https://files.example/${key}?name=${encodeURIComponent(fileName)}`,
      uploadPart: async ({ key, part, bytes, s3UploadId }) =>
        `https://files.example/${key}?partNumber=${part}&uploadId=${s3UploadId}&bytes=${bytes}`,
    },
    multipart: createMultipartUploads(clients.s3),
    command: async (message) => world.queue.add(queueUrl('command'), message, 0),
    startSync: async (command) => world.lambda.sync(command),
    openCatalogue: () => createCatalogue(countedLookups()),
    account: accountSettings,
    // The catalogue of the rows is of this day.
    calendar: () => monday,
    wall: world.timeline.now,
    newId: () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
  };
}

export interface ApiWorldOptions {
  /** That the API works for. @default - that of the pipeline */
  readonly account?: string;
  readonly settings?: Partial<ApiSettings>;
  readonly limit?: { readonly perSecond: number; readonly burst: number };
  /** @default - blocking rows stay in their port */
  readonly removeBlockingAfterMs?: number;
  /** Called with each command of the API, before its role allows it. */
  readonly onCommand?: OnCommand;
}

const noLimit = { perSecond: 1e6, burst: 1e6 };

/** As Cognito and API Gateway state them. */
const claimsOf = ({ id, name, roles }: Caller) => ({
  sub: id,
  token_use: 'id',
  email: name,
  email_verified: 'true',
  'cognito:groups': `[${roles.join(' ')}]`,
});

interface HttpRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The event of an HTTP API. */
function httpEventOf({ method, path, headers, body }: HttpRequest, caller: Caller | null) {
  const [encoded = '', rawQueryString = ''] = `${apiPrefix}${path}`.split(/\?(.*)/s);
  const rawPath = decodeURIComponent(encoded);
  const authorizer = caller === null ? {} : { authorizer: { jwt: { claims: claimsOf(caller) } } };
  const requestContext = { domainName: 'console.example', http: { method }, ...authorizer };
  return { rawPath, rawQueryString, headers, body, requestContext };
}

/** The import of an upload, also where it is a part of another one, which lists leave out. */
export function importOfObject({ table }: World, key: string, version?: string): string {
  const isItsImport = ({ sk, key: own, versionId }: Record<string, unknown>) =>
    sk === 'import' && own === key && (version === undefined || versionId === version);
  return String(table.items().find(isItsImport)?.importId);
}

export function startApiWorld(options: ApiWorldOptions = {}): ApiWorld {
  const { account = ownAccount, settings: changes = {}, limit = noLimit, removeBlockingAfterMs } = options;
  const fates = { faults: () => noFaults, takesTwice: false, sabotage: undefined, isFair: () => true };
  const world = createWorld({
    seed: 1,
    dice: createDice(1),
    start,
    ...fates,
    removeBlockingAfterMs,
    count: () => {},
    approval: changes.approval,
  });
  const reading = clientsOf(world, 'ApiReadRole', options.onCommand);
  const writing = clientsOf(world, 'ApiWriteRole', options.onCommand);
  const endpoints = [
    ...bindEndpoints(readEndpoints, writerOn(world, reading, changes, account)),
    ...bindEndpoints(writeEndpoints, writerOn(world, writing, changes, account)),
  ];
  const idempotency = createIdempotency(createIdempotencyStore(writing.table, table, world.timeline.now));
  const wall = world.timeline.now;
  const logged: LogFields[] = [];
  const log: Log = { ...silentLog, info: (_, fields = {}) => void logged.push(fields) };
  const api = createApi({ endpoints, idempotency, document: async () => document, limit, wall, log });
  const handle = createApiHandler(api);
  let writes = 0;

  const call: ApiWorld['call'] = async (method, path, { as = operator, body, headers: more = {} } = {}) => {
    writes += 1;
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = {
      method,
      path,
      headers: { ...json, 'idempotency-key': `write-${writes}`, ...more },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    };
    const answer = await handle(httpEventOf(request, as));
    const bytes = Buffer.byteLength(JSON.stringify(answer));
    if (bytes > limits.lambdaAnswerBytes.value) throw new Error(`${method} ${path}: Lambda cannot send ${bytes} bytes`);
    const { statusCode: status, isBase64Encoded } = answer;
    const text = isBase64Encoded ? Buffer.from(answer.body, 'base64').toString() : answer.body;
    const headers = new Headers(answer.headers);
    const contentType = headers.get('content-type') ?? '';
    const problem = problemOf(checker, { method, path, status, contentType, text });
    if (problem !== null) throw new Error(problem);
    const isJson = contentType.includes('json') && text !== '';
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  };

  const pass = async (milliseconds: number): Promise<void> => {
    const until = world.timeline.now() + milliseconds;
    while (await world.timeline.step(until));
    world.timeline.moveTo(until);
    world.lambda.sync();
    await settle(world);
  };

  const plan = async (name: string, rows: readonly Row[]): Promise<string> => {
    const object = await put(`plan/create-port/${name}`, csvTextOf(rows), world);
    const record = { key: object.key, eTag: object.etag, versionId: object.version };
    world.queue.add(queueUrl('ingest'), { Records: [{ s3: { bucket: { name: buckets.inbox }, object: record } }] }, 0);
    await settle(world);
    return importOfObject(world, object.key, object.version);
  };

  const approve = async (importId: string): Promise<void> => {
    const { planHash } = (await call('GET', `/imports/${importId}/plan`)).body;
    await call('POST', `/imports/${importId}/approve`, { body: { planHash } });
    await settle(world);
  };

  return {
    world,
    api,
    logged,
    call,
    plan,
    approve,
    pass,
    async send(name, rows) {
      const importId = await plan(name, rows);
      await approve(importId);
      await pass(10 * 60_000);
      return importId;
    },
  };
}
