import { beforeAll, describe, expect, it } from 'vitest';
import { bookableDay } from '../../support/bookable-day.ts';
import { createPortFile } from '../../support/cli/files.ts';
import { importJson } from '../../support/cli/json-shapes.ts';
import { engine } from '../../support/cli/shared-emulator.ts';
import { until } from '../../support/emulator/start-process.ts';

export function testReschedule(): void {
  describe('reschedule', () => {
    beforeAll(async () => {
      // No command waits for a port, and a day that can be booked stays one however long the commands take.
      await engine.changeSpeed(60);
      await engine.write('moved.csv', createPortFile([{ msisdn: '07700900744', pac: 'INV123456' }]));
      await engine.run('import', 'moved.csv');
      await until('the port was created', async () => {
        const { stdout } = await engine.run('--json', 'status', 'moved.csv');
        return importJson.parse(JSON.parse(stdout)).requests.created;
      });
    });

    it.each([['tomorrow'], ['2030-02-30']])('a date like %s is a usage error', async (date) => {
      const { exitCode, stderr } = await engine.run('reschedule', 'moved.csv', '--date', date);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`--date "${date}" is not a day: `);
    });

    it('a date that cannot be booked is rejected with the reason, and every port keeps its date', async () => {
      const words = ['reschedule', 'moved.csv', '--date', '2020-01-01', '--because', 'Ben is away'];
      const { exitCode, stdout, stderr } = await engine.run(...words);
      expect(exitCode).toBe(1);
      expect(stdout).toContain('request 1, port');
      expect(stdout).toContain('is too early');
      expect(stdout).toMatch(/requested by +\S+: Ben is away/);
      expect(stderr).toContain('Nothing was cancelled');
    });

    it('the name of the file does not find a rejected reschedule', async () => {
      const { stdout } = await engine.run('--json', 'status', 'moved.csv');
      const item = importJson.parse(JSON.parse(stdout));
      expect(item.reschedules).toBeUndefined();
      expect(item.requests).toEqual({ created: 1 });
    });

    it('a list of numbers moves their ports; one that lacks numbers of a port names them', async () => {
      const rows = ['07700900745', '07700900746'].map((msisdn) => ({ msisdn, pac: 'INV123456', tariff: '2002' }));
      await engine.write('two.csv', createPortFile(rows));
      await engine.run('import', 'two.csv');
      await until('the port was created', async () => {
        const { stdout } = await engine.run('--json', 'status', 'two.csv');
        return importJson.parse(JSON.parse(stdout)).requests.created;
      });
      await engine.write('one-of-two.csv', 'Mobile\n07700900745\n');
      const incomplete = await engine.run('reschedule', '--numbers', 'one-of-two.csv', '--date', 'auto');
      expect([incomplete.exitCode, incomplete.stderr]).toEqual([2, expect.stringContaining('+447700900746')]);
      await engine.write('late.csv', 'Mobile\n07700900745\n07700900746\n07700900999\n+447700900745\n');
      const date = bookableDay(engine.calendar() + 12 * 86_400_000);
      const moved = await engine.run('reschedule', '--numbers', 'late.csv', '--date', date, '--json');
      expect(moved.stderr).toContain('1 number of late.csv without a port in progress.');
      expect(importJson.parse(JSON.parse(moved.stdout))).toMatchObject({ rows: 2, reschedules: { date } });
      expect((await engine.run('reschedule', '--date', 'auto')).stderr).toContain('Name an import, or a file');
    });
  });
}
