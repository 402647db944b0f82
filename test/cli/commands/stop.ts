// An import of many ports is stopped while it is sent, resumed, and undone.
import { beforeAll, describe, expect, it } from 'vitest';
import { bookableDay } from '../../support/bookable-day.ts';
import { createPortFile } from '../../support/cli/files.ts';
import { importJson, outcomeJson } from '../../support/cli/json-shapes.ts';
import { engine } from '../../support/cli/shared-emulator.ts';
import { until } from '../../support/emulator/start-process.ts';
import { day } from '../../support/service/simulator.ts';
import { createCall } from '../../support/service/simulator-controls.ts';

/** More than are sent while the commands run, also on a busy machine. */
const ports = 100;

const stateOf = async (file: string) =>
  importJson.parse(JSON.parse((await engine.run('--json', 'status', file)).stdout));

export function testStop(): void {
  describe('stop', () => {
    beforeAll(async () => {
      await engine.changeSpeed(60);
      if (engine.service === undefined) throw new Error('there is no simulator');
      const slow = { endpoint: 'createPort', rate: 1, does: { kind: 'latency', milliseconds: 2_000 } };
      await createCall(engine.service)('PUT', '/_sandbox/faults', { seed: 1, faults: [slow] });
      // No port is locked before it is cancelled, however long the commands take.
      const connectionDate = bookableDay(engine.calendar() + 7 * day);
      const rows = Array.from({ length: ports }, (_, index) => ({ msisdn: `07700${900_500 + index}`, connectionDate }));
      await engine.write('many.csv', createPortFile(rows));
    });

    it('is stopped while it is sent: what is sent stays, and nothing more is', async () => {
      await engine.run('import', 'many.csv', '--max-rows-per-port', '1');
      await until('some ports were created', async () => (await stateOf('many.csv')).requests.created);
      const stopped = await engine.run('stop', 'many.csv', '--because', 'wrong tariff');
      // The command ends once no further call begins. Marking what was not sent may take longer.
      expect(stopped.stdout + stopped.stderr).toMatch(/stopped: what was not sent yet waits|No further call begins\./);
      expect(stopped.stdout).toContain('wrong tariff');
      expect(stopped.stderr).toContain('To cancel what was sent: npm run simporter -- undo');
      const { requests } = await until('all of it is marked', async () => {
        const now = await stateOf('many.csv');
        return now.state === 'stopped' ? now : undefined;
      });
      expect(requests.created).toBeLessThan(ports);
      expect((requests.created ?? 0) + (requests.planned ?? 0)).toBe(ports);
      expect((await engine.run('stop', 'many.csv')).exitCode).toBe(0);
      expect((await stateOf('many.csv')).requests).toEqual(requests);
    });

    it('is resumed and stopped again', async () => {
      const before = (await stateOf('many.csv')).requests.created ?? 0;
      const resumed = await engine.run('resume', 'many.csv', '--json');
      expect(outcomeJson.parse(JSON.parse(resumed.stdout)).state).toBe('submitting');
      await until('it goes on', async () => ((await stateOf('many.csv')).requests.created ?? 0) > before || undefined);
      expect((await engine.run('stop', 'many.csv')).exitCode).toBe(0);
      const twice = await engine.run('resume', 'many.csv');
      expect(twice.exitCode).toBe(0);
      await engine.run('stop', 'many.csv');
    });

    it('is undone: what was not sent never is, and a plan cancels the ports', async () => {
      const undone = await engine.run('undo', 'many.csv', '--yes');
      expect(undone.stderr).toMatch(/\d+ numbers of many\.csv can be cancelled\. Nothing is cancelled yet\./);
      const { requests, importId } = await stateOf('many.csv');
      expect((requests.created ?? 0) + (requests.skipped ?? 0)).toBe(ports);
      const results = (await engine.run('results', 'many.csv', '--json')).stdout;
      expect(results).toContain('not-sent');
      const plan = /approve (\S+)/.exec(undone.stderr)?.[1] ?? '';
      await engine.run('approve', plan);
      await engine.changeSpeed(3_600);
      await until('every port is cancelled', async () => {
        const { ports: byStatus, state } = await stateOf(importId);
        return (state === 'finished' && byStatus.Cancelled === requests.created) || undefined;
      });
      expect((await engine.run('resume', importId)).stderr).toContain('Every request of this import has ended.');
    });
  });
}
