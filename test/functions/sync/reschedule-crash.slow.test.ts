// A process that is killed while it reschedules a port.
import { describe, expect, test } from 'vitest';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { minute } from '../../support/service/simulator.ts';
import { rig, useFreshRig } from '../../support/steps/fresh-services.ts';
import { both, livePortsOf, move, ported, submitWaiting } from '../../support/steps/rescheduling.ts';
import { msisdnOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

/** Dependencies of processes of which one dies before or after effect number `at`: then no effect of it succeeds. */
function dyingParts(at: number, when: 'before' | 'after') {
  const { requests, ports, snapshots: looks, client, queues } = rig.syncParts();
  let effects = 0;
  let isDead = false;
  const mortal =
    <Given extends readonly unknown[], Answer>(effect: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      effects += 1;
      const dies = effects === at;
      if (isDead || (dies && when === 'before')) throw die();
      const answer = await effect(...given);
      if (dies) throw die();
      return answer;
    };
  const die = () => {
    isDead = true;
    return new Error('killed');
  };
  const parts: Partial<SyncPipeline> = {
    requests: { ...requests, replace: mortal(requests.replace) },
    ports: { ...ports, touch: mortal(ports.touch) },
    snapshots: { record: mortal(looks.record) },
    client: { ...client, cancelPort: mortal(client.cancelPort) },
    queues: { send: mortal(queues.send) },
  };
  const startProcess = () => {
    isDead = false;
  };
  return { parts, startProcess };
}

describe('killed at every step', () => {
  const steps = Array.from({ length: 9 }, (_, index) => index + 1);

  test.each(steps.flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))))(
    '$when effect $at: never two live ports, and in the end one on the new day',
    async ({ at, when }) => {
      await ported(both);
      await move('2026-07-20');
      const { parts, startProcess } = dyingParts(at, when);
      let mostLive = 1;
      for (let looks = 0; looks < 16; looks += 1) {
        rig.pass(5 * minute);
        startProcess();
        await rig.sync(parts).catch((error: Error) => expect(error.message).toContain('killed'));
        await submitWaiting();
        mostLive = Math.max(mostLive, (await livePortsOf(msisdnOf(1))).length);
      }
      expect(mostLive).toBe(1);
      const [live] = await livePortsOf(msisdnOf(1));
      expect(live).toMatchObject({ connectionDate: '2026-07-20T00:00:00', rowCount: 2 });
    },
  );
});
