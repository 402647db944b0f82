// Declined submissions of SIMs: one bad SIM does not decline the others, and a doubtful decline requires action.
import { expect, test } from 'vitest';
import { Conflict, type FieldError } from '#shared/service/errors.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { planRequest } from '../../support/steps/planned-requests.ts';
import { quietMs } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const sims = ['8944110068123456787', '8944110068123456795', '8944110068123456803'];
const heads: Partial<Record<OperationName, object>> = {
  'send-sms': { networkNumber: 232, message: 'STATUS?', binary: false },
  provision: { networkNumber: 101, tariffNumber: 2001 },
  'change-provision': { networkNumber: 101, tariffNumber: 2001, provisioningOrderNumber: 5001 },
  'bar-service-config': { networkNumber: 101, services: [{ name: 'Voicemail', value: 'false' }] },
};
const plan = (operation: OperationName) =>
  planRequest(rig, {
    importId: 'sims',
    operation,
    head: heads[operation],
    rows: sims.map((subject, index) => ({ line: index + 2, subject, wire: {} })),
  });

/** Declines the call while the body has one of the SIMs. */
function declining(among: readonly string[], details: { fieldErrors?: FieldError[]; serialNumbers?: string[] }) {
  const bodies: string[] = [];
  const submit = async (_path: string, body: unknown): Promise<string> => {
    bodies.push(JSON.stringify(body));
    if (!among.some((sim) => bodies.at(-1)?.includes(sim))) return 'ticket-1';
    const decline = { message: 'not on hire', fieldErrors: [], msisdns: [], ...details };
    throw new Conflict(decline, { call: 'POST /api/simSubmission', status: 409 });
  };
  return { bodies, parts: { client: { ...rig.submitParts().client, submit } } };
}

test.each<OperationName>(['send-sms', 'provision', 'change-provision', 'bar-service-config'])(
  '%s: the SIM that the field of an error names is declined, and the others are sent again without it',
  async (operation) => {
    const field = `${operation.includes('provision') ? 'stock' : 'serialNumbers'}[1]`;
    const { bodies, parts } = declining([sims[1] ?? ''], {
      fieldErrors: [{ field, message: 'the SIM is not on hire' }],
    });
    const message = await plan(operation);
    expect(await rig.submit(message, parts)).toBe('planned');
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
    expect(await rig.submit(message, parts)).toBe('accepted');
    expect(bodies.map((body) => body.includes(sims[1] ?? ''))).toEqual([true, false]);
    expect(await rig.request('sims')).toMatchObject({
      lines: '2,4',
      excludedRows: [{ line: 3, subject: sims[1], code: 'ROW_REFUSED', message: 'the SIM is not on hire' }],
    });
  },
);

test('the others are sent again as long as each answer names another SIM', async () => {
  const message = await plan('send-sms');
  for (const named of sims.slice(0, 2)) {
    const { parts } = declining([named], { serialNumbers: [named] });
    expect(await rig.submit(message, parts)).toBe('planned');
  }
  const { bodies, parts } = declining([], {});
  expect(await rig.submit(message, parts)).toBe('accepted');
  expect(bodies.map((body) => sims.filter((sim) => body.includes(sim)))).toEqual([[sims[2]]]);
  expect((await rig.request('sims')).excludedRows).toMatchObject([{ line: 2 }, { line: 3 }]);
});

test('fault 51: a conflict of provision about all of its SIMs may be the answer to a repeated call: action is required', async () => {
  const { parts } = declining(sims, { serialNumbers: sims });
  expect(await rig.submit(await plan('provision'), parts)).toBe('unknown');
  rig.pass(quietMs);
  await rig.sync();
  expect(await rig.request('sims')).toMatchObject({ state: 'action-required' });
});

test('fault 52: any decline after a person sent it again requires action, because the first attempt may be executed', async () => {
  const { parts } = declining(sims, {});
  const message = await plan('send-sms');
  const planned = await rig.request('sims');
  await rig.requests.replace(planned, { ...planned, hasUnknownAttempt: true });
  expect(await rig.submit(message, parts)).toBe('unknown');
});
