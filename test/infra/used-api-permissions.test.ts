// The roles of the API's functions allow exactly what their routes use. Every route runs over the simulated pipeline,
// and each command that it sends is compared with the template of the console.
import { UploadPartCommand } from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from 'vitest';
import { descriptions } from '#functions/api/openapi-document.ts';
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { settle } from '../chaos/drive.ts';
import { buckets } from '../chaos/pipeline.ts';
import { rowsFrom } from '../chaos/scenario.ts';
import { type ApiRequest, type ApiWorld, startApiWorld } from '../support/api/simulated-api.ts';
import { grantsOf, isGrantedBy, unusedOf } from '../support/infra/granted-permissions.ts';
import { synthesiseConsole } from '../support/infra/template.ts';
import { rightsOfCommand, type UsedPermission } from '../support/infra/used-permissions.ts';

const granted = grantsOf(synthesiseConsole('prod'));
const used = new Map<string, UsedPermission & { readonly route: string | undefined }>();
const called = new Set<string>();
let route: string | undefined;

function record(role: string, { constructor: { name }, input }: { readonly input: object }): void {
  for (const right of rightsOfCommand(name, input))
    used.set(`${role} ${JSON.stringify(right)}`, { role, route, ...right });
}

type Call = (
  name: keyof typeof descriptions,
  parameters?: Readonly<Record<string, string>>,
  request?: ApiRequest & { readonly query?: string },
) => ReturnType<ApiWorld['call']>;

/** Calls a route of this name. */
const callerOf =
  (api: ApiWorld): Call =>
  async (name, parameters = {}, { query = '', ...request } = {}) => {
    const { method, path } = descriptions[name];
    route = name;
    called.add(name);
    try {
      const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
        encodeURIComponent(parameters[parameter] ?? 'x'),
      );
      return await api.call(method, `${filled}${query}`, request);
    } finally {
      route = undefined;
    }
  };

beforeAll(async () => {
  const api = startApiWorld({ settings: { approval: 'two' }, onCommand: record });
  const call = callerOf(api);
  await useUploads(api, call);
  const importId = await api.send('july.csv', [
    ...rowsFrom(0, ['ABC123456', 'INV846125']),
    { msisdn: 'x', serialNo: 'y', pac: 'z', boltOns: '' },
  ]);
  for (let days = 0; days < 4; days += 1) await api.pass(24 * 3_600_000);
  const { body: requests } = await call('listRequests', { importId });
  const portId = requests.requests[0]?.portId ?? 'x';
  const parameters = {
    importId,
    request: '1',
    portId,
    fileName: 'results.csv',
    format: 'csv',
    operation: 'create-port',
    msisdn: '07700900001',
    draftId: '0'.repeat(16),
    savedId: '0'.repeat(16),
  };
  for (const name of Object.keys(readEndpoints) as (keyof typeof readEndpoints)[]) await call(name, parameters);
  await call('createFileLink', { ...parameters, fileName: 'rejected.csv' });
  await call('listRows', parameters, { query: '?outcome=complete' });
  const rows = rowsFrom(20, ['ABC123456']).map((row) => ({ ...row }));
  await call('validateRows', {}, { body: { operation: 'create-port', rows } });
  await call('listSimServices', {}, { body: { sims: ['8944110068123456787'] } });
  await call('createCorrection', parameters, { body: { rows: [{ line: 4, cells: { msisdn: '07700900033' } }] } });
  const draft = await call('saveDraft', parameters, { body: { rows: [{ line: 4, cells: { msisdn: '0' } }] } });
  await call('getDraft', { ...parameters, draftId: draft.body.draftId });
  const saved = { operation: 'create-port', name: 'Acme weekly', settings: {} };
  await call('saveSettings', parameters, { body: saved });
  await call('deleteSettings', parameters);
  await call('cancelRows', parameters, { body: { lines: [2], because: 'Order 7' } });
  await call('cancelRows', parameters, { body: { because: 'Order 7' } });
  await call('rescheduleImport', parameters, { body: { date: 'auto' } });
  await call('stopImport', parameters, { body: {} });
  await settle(api.world);
  await call('resumeImport', parameters, { body: {} });
  await call('archiveImport', parameters, { body: {} });
  await call('dismissRows', parameters, { body: { rows: 'rejected', because: 'Order 7' } });
  await call('resolveRequest', parameters, { body: { what: { kind: 'abandon' } } });
  await call('refreshPorts', {}, { body: {} });
  await settle(api.world);
  await call('listPorts');
  await call('listPortDays', {}, { query: '?from=2026-07-16&to=2026-07-20' });
  await call('createPortListLink');
  await call('adoptPort', parameters, { body: {} });
  const waiting = await api.plan('waits.csv', rowsFrom(40, ['ABC123456']));
  const { body: plan } = await call('getPlan', { importId: waiting });
  await call('previewImport', { importId: waiting });
  await call('readImportAgain', { importId: waiting }, { body: { reading: 1, settings: {}, leaveOut: [2] } });
  await call('approveImport', { importId: waiting }, { body: { planHash: 'of an older plan' } });
  await call('approveImport', { importId: waiting }, { body: { planHash: plan.planHash } });
});

async function useUploads({ world }: ApiWorld, call: Call): Promise<void> {
  const bytes = Buffer.from('msisdn,serialNo\n07700900050,8944110000000000050\n');
  const body = { operation: 'create-port', fileName: 'july.csv', bytes: bytes.length };
  const { uploadId } = (await call('createUpload', {}, { body })).body;
  const { links } = (await call('createUploadLinks', { uploadId }, { body: { parts: [1] } })).body;
  const { pathname, searchParams } = new URL(links[0].url);
  const [UploadId, Key] = [searchParams.get('uploadId') ?? '', pathname.slice(1)];
  await world.bucket.send(new UploadPartCommand({ Bucket: buckets.inbox, Key, UploadId, PartNumber: 1, Body: bytes }));
  await call('getUpload', { uploadId });
  await call('completeUpload', { uploadId });
  await settle(world);
  const second = (await call('createUpload', {}, { body })).body;
  await call('abortUpload', { uploadId: second.uploadId });
}

test('every route was called', () => {
  expect(Object.keys(descriptions).filter((name) => !called.has(name))).toEqual([]);
});

test('every command of a route is allowed to its role', () => {
  const missing = [...used.values()].filter(
    (one) => !granted.some((grant) => grant.role === one.role && isGrantedBy(one, grant)),
  );
  expect(missing).toEqual([]);
});

/** Used by Lambda itself, by signed links and the encryption of S3, or by a part that the simulation replaces. */
const usedElsewhere = ['WriteLogs', 'UseKey', 'ReadCredentials', 'Command', 'CommandSync'];
/** The simulation replaces the rate limiter, and no request waits for a resolution. */
const unusedHere = ['resolution#*', 'service#*'].map((items) => `ApiWriteRole dynamodb:PutItem <Table.Arn> ${items}`);

test('no role allows what no route uses', () => {
  const unused = granted
    .filter(({ sid }) => !usedElsewhere.includes(sid))
    .flatMap((grant) => unusedOf(grant, [...used.values()]));
  expect(unused).toEqual(unusedHere);
});
