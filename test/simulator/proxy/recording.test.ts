// A recorded session: no code, token or secret in the file, and the same answers again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPortingClient } from '#shared/service/client.ts';
import { type Call, createRecorder, readRecording } from '#simulator/proxy/recording.ts';
import { startRealAnswers } from '#simulator/proxy/start-real-answers.ts';
import { portBody, portRow, startTestSimulator, type TestSimulator } from '../../support/service/simulator.ts';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'simporter-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'session.jsonl');
}

const place = { port: 0, host: '127.0.0.1', json: false };

async function clientOf(service: TestSimulator, options: { proxy?: string; record?: string; replay?: string }) {
  const read = async () => (await fetch(`${service.baseUrl}/openapi.json`)).text();
  const { baseUrl, stop } = await startRealAnswers({ ...place, ...options }, read);
  const { accountId, clientId, clientSecret } = service;
  const credentials = async () => ({ clientId, clientSecret });
  return { baseUrl, stop, client: createPortingClient({ baseUrl, authUrl: baseUrl, accountId, credentials }) };
}

const rows = [portRow(1, { pac: 'XYZ987654' }), portRow(2, { pac: 'INV987654' })];

test('a recorded session has no code, token or secret, and its replay gives the same answers', async () => {
  const service = await startTestSimulator();
  const file = newFile();
  const session = async (client: Awaited<ReturnType<typeof clientOf>>['client']) => {
    const id = await client.createPort(portBody({ rows }));
    const first = await client.listPorts(1);
    service.pass(3_600_000);
    const port = await client.port(id);
    return [id, first, await client.listPorts(1), { ...port, rows: port.rows.map(({ pac: _, ...row }) => row) }];
  };
  const recorded = await clientOf(service, { proxy: service.baseUrl, record: file });
  const answers = await session(recorded.client);
  await recorded.stop();
  expect(answers[1]).not.toEqual(answers[2]);

  const text = readFileSync(file, 'utf8');
  expect(text.trimEnd().split('\n')).toHaveLength(5);
  expect(text).not.toMatch(/987654/);
  expect(text).not.toContain(service.clientSecret);
  expect(text).not.toMatch(/eyJ/);
  expect(text).toContain(portRow(1).msisdn);

  const replayed = await clientOf(service, { replay: file });
  onTestFinished(replayed.stop);
  expect(await session(replayed.client)).toEqual(answers);
  expect(await replayed.client.listPorts(1)).toEqual(answers[2]);
  const unknown = await fetch(`${replayed.baseUrl}/api/company`);
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { message: 'The recording has no GET /api/company with this body.', errors: [] },
  ]);
});

const call = (changes: Partial<Call> = {}): Call => ({
  method: 'PATCH',
  path: '/api/porting/1001',
  headers: {},
  text: '',
  ...changes,
});

test.each([
  [
    'a code of a country without a typical form',
    '{"Rows":[{"Pac":"12345678"}]}',
    '{"message":"PAC 1234-5678 is wrong"}',
  ],
  ['a code that the answer shows', '', '{"rows":[{"pac":"55667788","message":"55667788: unknown"}]}'],
  ['a STAC in a text', '{"name":"stac 123456ABC"}', 'STAC: 123456ABC'],
  ['what is no JSON', 'client_secret=hush55667788&pac=ABC12345678', 'Bearer 12345678.55667788'],
])('%s is masked in the call and in the answer', (_, body, answer) => {
  const file = newFile();
  const recorder = createRecorder(file);
  recorder.add(call({ text: body }), { status: 200, headers: {}, text: answer });
  recorder.close();
  expect(readFileSync(file, 'utf8')).not.toMatch(/1234-?5678|55667788|123456ABC/);
  expect(readRecording(file)(call({ text: body }))?.status).toBe(200);
});

test('a code in a path, the page of a list and `Retry-After` are kept in a form that can be replayed', () => {
  const file = newFile();
  const recorder = createRecorder(file);
  const page = (number: string) => call({ headers: { 'x-pagenumber': number, authorization: 'Bearer abc123' } });
  const path = call({ path: '/api/sim/ABC%20123456/services?pac=ABC123456' });
  recorder.add(page('1'), { status: 200, headers: { 'set-cookie': ['id=1'] }, text: '' });
  recorder.add(page('2'), { status: 429, headers: { 'retry-after': '3' }, text: '' });
  recorder.add(path, { status: 404, headers: {}, text: '' });
  recorder.close();
  const answerOf = readRecording(file);
  expect(answerOf(page('2'))).toEqual({ status: 429, headers: { 'retry-after': '3' }, body: '' });
  expect(answerOf(page('1'))).toEqual({ status: 200, headers: {}, body: '' });
  expect(answerOf(path)?.status).toBe(404);
  expect(answerOf(page('3'))).toBeUndefined();
  expect(readFileSync(file, 'utf8')).not.toMatch(/123456|abc123/);
});

test('a file with content is not recorded over, and what is no recording is named', async () => {
  const file = newFile();
  writeFileSync(file, '{"name": "ABC123456"}\n');
  expect(() => createRecorder(file)).toThrow('is not empty');
  expect(() => readRecording(file)).toThrow(`${file}: line 1 is not a call with its answer.`);
  const service = await startTestSimulator();
  await expect(clientOf(service, { proxy: service.baseUrl, replay: file })).rejects.toThrow('omit --proxy');
  await expect(clientOf(service, { record: newFile() })).rejects.toThrow('--record needs --proxy');
});
