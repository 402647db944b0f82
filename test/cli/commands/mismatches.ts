// Another client changes a service after the port is complete: the mismatch is found, and the offered file sets it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRunningEmulator } from '#local/data-folder.ts';
import { actionsJson, mismatchesJson, outcomeJson } from '../../support/cli/json-shapes.ts';
import { engine } from '../../support/cli/shared-emulator.ts';
import { until } from '../../support/emulator/start-process.ts';
import { clientOf } from '../../support/service/ports-after-run.ts';

export function testMismatches(): void {
  describe('mismatches', () => {
    const serials = ['8944110000070009004', '8944110000070009012'];
    const file = `msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,services,provisioningOrder
07700 900700,${serials[0]},ABC123456,Port,UK Mobile A,Source Mobile One,auto,2001,Roaming=on;Premium Rate Calls=block,5001
07700 900701,${serials[1]},ABC123457,Port,UK Mobile A,Source Mobile One,auto,2001,Roaming=on;Premium Rate Calls=block,5001
`;

    /** Another client of the same service. */
    async function changeService(): Promise<void> {
      const running = await findRunningEmulator(join(engine.folder, '.local'));
      if (running === undefined) throw new Error('no emulator is running');
      const services = [{ name: 'Roaming', value: 'false' }];
      await clientOf(running).submit('/api/simSubmission/BarServiceConfig', { serialNumbers: [serials[1]], services });
    }

    const readMismatches = async (...options: string[]) => {
      const { stdout } = await engine.run('--json', 'mismatches', 'numbers.csv', ...options);
      return mismatchesJson.parse(JSON.parse(stdout));
    };

    it('finds and shows a changed service, and sets it again with the offered file', async () => {
      await engine.write('numbers.csv', file);
      const { stdout } = await engine.runToTheEnd('numbers.csv', '--json', 'import', 'numbers.csv', '--watch');
      expect(outcomeJson.parse(JSON.parse(stdout))).toMatchObject({ state: 'finished', ports: { Complete: 1 } });
      await until('the SIMs were compared', async () => (await readMismatches()).compared === 1 || undefined);
      expect((await readMismatches()).sims).toEqual([]);
      const empty = await engine.run('mismatches', 'numbers.csv', '--csv', 'none.csv');
      expect(empty).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('No SIM is known') });
      await expect(readFile(join(engine.folder, 'none.csv'))).rejects.toThrow('ENOENT');

      await changeService();
      const found = await until('the mismatch was found', async () => {
        const mismatches = await readMismatches('--again');
        return mismatches.sims.length > 0 ? mismatches : undefined;
      });
      expect(found.sims).toMatchObject([
        { line: 3, serialNumber: serials[1], services: [{ name: 'Roaming', requested: 'true', actual: 'false' }] },
      ]);
      await until(
        'status shows it',
        async () =>
          (await engine.run('status', 'numbers.csv')).stdout.includes('1 SIM with other services') || undefined,
      );
      expect((await engine.run('results', 'numbers.csv')).stdout).toContain('Roaming is off instead of on');
      const actionRequired = actionsJson.parse(
        JSON.parse((await engine.run('--json', 'actions')).stdout),
      ).actionRequired;
      expect(actionRequired).toMatchObject([{ kind: 'mismatch', numbers: [{ line: 3 }] }]);

      expect((await engine.run('mismatches', 'numbers.csv', '--csv', 'mismatches.csv')).exitCode).toBe(1);
      const imported = await engine.run(
        '--json',
        'import',
        'mismatches.csv',
        '--operation',
        'bar-service-config',
        '--watch',
      );
      expect(outcomeJson.parse(JSON.parse(imported.stdout))).toMatchObject({ accepted: 1, requests: { accepted: 1 } });
      await until('the mismatch is gone', async () => (await readMismatches('--again')).sims.length === 0 || undefined);
      expect((await engine.run('mismatches', 'numbers.csv')).exitCode).toBe(0);
    });
  });
}
