// What the requests of a batch read and claim at one moment is one call, and no request fails because of another.
import { expect, test, vi } from 'vitest';
import type { SubmitOutcome } from '#functions/submit/attempt.ts';
import { shareCalls } from '#functions/submit/shared-calls.ts';
import { submit } from '#functions/submit/submit.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import { posts } from '../../support/steps/create-port-calls.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { plannedRowOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const groups = [1, 2, 3, 4, 5].map((index) => [plannedRowOf(index, index + 1)]);

/** Submits the messages as one batch does; the outcome of each, or the name of its error. */
function submitTogether(messages: readonly SubmitMessage[], parts = rig.submitParts()): Promise<string[]> {
  const pipeline = { ...parts, ...shareCalls(parts) };
  const nameOf = (error: Error): string => error.name;
  return Promise.all(messages.map((message) => submit(message, pipeline).catch(nameOf)));
}

/** How often each command was sent. */
function countCommands() {
  const spies = [vi.spyOn(services.table, 'send'), vi.spyOn(services.s3, 'send')];
  return () => {
    const names = spies.flatMap(({ mock }) => mock.calls.map(([command]) => command.constructor.name));
    for (const spy of spies) spy.mockRestore();
    return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, sent]) => [name, sent.length]));
  };
}

const created: SubmitOutcome[] = ['created', 'created', 'created', 'created', 'created'];

test('five requests are read, claimed, and read from their plan with one call each', async () => {
  const messages = await rig.plan('import-a', groups);
  const sent = countCommands();
  expect(await submitTogether(messages, rig.submitParts({ readsBack: () => false }))).toEqual(created);
  const { BatchGetCommand, BatchExecuteStatementCommand, GetObjectCommand, PutCommand } = sent();
  expect({ BatchGetCommand, BatchExecuteStatementCommand, GetObjectCommand, PutCommand }).toEqual({
    BatchGetCommand: 1,
    BatchExecuteStatementCommand: 1,
    GetObjectCommand: 1,
    PutCommand: expect.any(Number),
  });
});

test('two deliveries of one message in a batch make one call of the service', async () => {
  const [message] = await rig.plan('import-a', groups);
  if (message === undefined) throw new Error('nothing was planned');
  expect((await submitTogether([message, message])).sort()).toEqual(['created', 'not-mine']);
  expect(posts()).toBe(1);
});

test('of two requests of a batch with the same number one is sent, and the other skipped', async () => {
  const [first] = await rig.plan('import-a', groups.slice(0, 1));
  const [second] = await rig.plan('import-b', groups.slice(0, 1));
  if (first === undefined || second === undefined) throw new Error('nothing was planned');
  expect((await submitTogether([first, second])).sort()).toEqual(['created', 'skipped']);
  expect(posts()).toBe(1);
});

test('a request that is not the one of its plan fails alone', async () => {
  const messages = await rig.plan('import-a', groups);
  const second = await rig.request('import-a', 2);
  await rig.requests.replace(second, { ...second, plan: { ...second.plan, digest: 'another' } });
  const outcomes = await submitTogether(messages);
  expect(outcomes).toEqual(['created', 'PlanMismatch', 'created', 'created', 'created']);
});

test('where one call for all fails, each request makes its own', async () => {
  const messages = await rig.plan('import-a', groups);
  const parts = rig.submitParts();
  const { claim } = parts.numbers;
  const fail = () => Promise.reject(new Error('one of them cannot be read'));
  const failing = {
    ...parts,
    requests: { ...parts.requests, getMany: fail },
    plans: { ...parts.plans, readMany: fail },
    numbers: {
      ...parts.numbers,
      claim: (claims: Parameters<typeof claim>[0]) => (claims.length > 1 ? fail() : claim(claims)),
    },
  };
  expect(await submitTogether(messages, failing)).toEqual(created);
});
