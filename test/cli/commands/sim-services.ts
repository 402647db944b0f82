// The services of the SIMs of a file, in the emulator: by serial, and by a number that was ported.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPortFile } from '../../support/cli/files.ts';
import { simServicesJson } from '../../support/cli/json-shapes.ts';
import { engine } from '../../support/cli/shared-emulator.ts';

export function testSimServices(): void {
  describe('sim-services', () => {
    const onHire = '89440010110010000104';
    const unknown = '8944110000070999903';

    it('writes a row for each service, and the reason where a SIM cannot be read', async () => {
      await engine.write('july.csv', createPortFile([{ msisdn: '07700900740' }]));
      await engine.run('import', 'july.csv', '--watch');
      await engine.write('sims.csv', `serialNumber\n${onHire}\n07700900740\n${unknown}\nx\n`);
      const written = await engine.run('sim-services', 'sims.csv', '--csv', 'services.csv');
      const [header, ...rows] = (await readFile(join(engine.folder, 'services.csv'), 'utf8')).trim().split(/\r?\n/);
      expect(header).toBe('line,sim,serialNumber,group,service,type,value,readOnly,problem');
      expect(rows).toContain(`2,${onHire},${onHire},Roaming,Roaming,Service,on,no,`);
      expect(rows.filter((row) => row.startsWith('3,07700900740,89')).length).toBeGreaterThan(10);
      expect(rows).toContain(`4,${unknown},${unknown},,,,,,The service does not know this SIM`);
      expect([written.exitCode, written.stderr]).toEqual([1, expect.stringContaining('4 SIMs: 2 read, 2 not')]);
    });

    it('answers one value for each SIM with --json', async () => {
      await engine.write('one.csv', `${onHire}\n`);
      const { stdout, exitCode } = await engine.run('sim-services', 'one.csv', '--json');
      expect([simServicesJson.parse(JSON.parse(stdout)).services.length > 10, exitCode]).toEqual([true, 0]);
    });

    it('takes no file without SIMs', async () => {
      await engine.write('empty.csv', 'serialNumber\n');
      expect((await engine.run('sim-services', 'empty.csv')).exitCode).toBe(2);
    });
  });
}
