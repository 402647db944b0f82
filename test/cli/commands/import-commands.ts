// Importing, validating and approving.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emulator, errorsOf, imported, json, sixRows, watched } from '../../support/cli/examined-import.ts';
import { createPortFile } from '../../support/cli/files.ts';
import { outcomeJson, statusJson, validationJson } from '../../support/cli/json-shapes.ts';
import { readWorkbookFile } from '../../support/files/read-workbook.ts';

export function testImportCommands(): void {
  describe('import FILE --watch --json', () => {
    it('ends when every port has ended or requires an action', () => {
      expect(imported).toMatchObject({
        state: 'in-progress',
        rows: 6,
        accepted: 4,
        rejected: 2,
        requests: { created: 2 },
        ports: { Complete: 1, 'Pac Check Failed': 1 },
      });
    });

    it('exits 1 when an action is required', () => {
      expect(watched.exitCode).toBe(1);
    });
  });

  describe('import FILE', () => {
    it('ends as soon as the file was read, and names the command to follow it', async () => {
      await emulator.write('august.csv', createPortFile([{ msisdn: '07700900201' }]));
      const { exitCode, stdout, stderr } = await emulator.run('import', 'august.csv');
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^file +august\.csv$/m);
      expect(stderr).toMatch(/npm run simporter -- status [0-9a-z]{16}/);
    });

    it('shows what it read otherwise than it is in the file, also without --watch', async () => {
      await emulator.write('read.csv', createPortFile([{ msisdn: '7700900211' }, { msisdn: '07700900212' }]));
      const { exitCode, stdout } = await emulator.run('import', 'read.csv', '--plan-only');
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^warning|^notice/m);
      expect(stdout).toContain('MSISDN_LEADING_ZERO_RESTORED');
    });

    it.each([1, 2, 3])('exits 1 for a rejected file, each time (%i)', async (time) => {
      await emulator.write(`wrong-${time}.csv`, createPortFile([{ msisdn: 'x' }]));
      const { exitCode, stdout } = await emulator.run('import', `wrong-${time}.csv`);
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^state +rejected: nothing/m);
    });

    it('plans without sending with --plan-only', async () => {
      await emulator.write('plan.csv', createPortFile([{ msisdn: '07700900301' }]));
      const outcome = json(outcomeJson, await emulator.run('import', 'plan.csv', '--plan-only', '--watch', '--json'));
      expect(outcome).toMatchObject({ state: 'planned', rows: 1, accepted: 1, ports: {} });
      const findRows = async () =>
        JSON.parse((await emulator.run('--json', 'number', '07700900301')).stdout || '{}').rows;
      await expect.poll(findRows).toMatchObject([{ line: 2, outcome: 'waiting' }]);
    });

    it('writes the results and the rejected rows with --reports, and as workbooks with --workbooks', async () => {
      await emulator.write('reports.csv', createPortFile([{ msisdn: '07700900303' }, { msisdn: 'x' }]));
      const args = ['import', 'reports.csv', '--plan-only', '--watch', '--workbooks'];
      expect((await emulator.run(...args)).exitCode).toBe(2);
      await emulator.run(...args, '--reports', 'july');
      for (const name of ['results', 'rejected']) {
        const csv = (await readFile(join(emulator.folder, 'july', `${name}.csv`), 'utf8')).slice(1).split('\r\n');
        const { header, rows } = await readWorkbookFile(join(emulator.folder, 'july', `${name}.xlsx`));
        expect([header.join(','), rows.length]).toEqual([csv[0], csv.length - 2]);
      }
    });

    it('sends nothing when more rows are rejected than --tolerate allows', async () => {
      await emulator.write('strict.csv', createPortFile([{ msisdn: '07700900302' }, { msisdn: 'x' }]));
      const strict = await emulator.run('import', 'strict.csv', '--tolerate', '0', '--watch', '--json');
      expect(json(outcomeJson, strict)).toMatchObject({ state: 'rejected', accepted: 1, rejected: 1, requests: {} });
      const half = await emulator.run('validate', 'strict.csv', '--tolerate', '50', '--json');
      expect(json(validationJson, half).state).toBe('planned');
      expect((await emulator.run('import', 'strict.csv', '--tolerate', 'few')).exitCode).toBe(2);
    });

    it('states why nothing of a file is sent', async () => {
      await emulator.write('header.csv', createPortFile([]));
      const { exitCode, stdout } = await emulator.run('import', 'header.csv', '--watch');
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^file +error +the file has a header and no rows$/m);
    });

    it('takes values for whole columns from --set', async () => {
      await emulator.write('short.csv', 'msisdn,serialNo,pac\r\n07700900401,8944001011001900401,ABC123456\r\n');
      const defaults = {
        portType: 'Port',
        targetNetwork: 'UK Mobile A',
        sourceNetwork: 'Source Mobile One',
        connectionDate: 'auto',
        tariff: 'Business Unlimited',
        'provisioning order': '5001',
      };
      const set = Object.entries(defaults).flatMap(([column, value]) => ['--set', `${column}=${value}`]);
      const outcome = json(validationJson, await emulator.run('validate', 'short.csv', ...set, '--json'));
      expect(outcome).toMatchObject({ rows: 1, accepted: 1, rejected: 0 });
    });
  });

  describe('validate FILE', () => {
    /** The rows of july.csv with numbers that were never sent. */
    beforeAll(() => emulator.write('june.csv', sixRows('077009007')));

    it('answers every issue with its line and column', async () => {
      const outcome = await emulator.run('validate', 'june.csv', '--json');
      const { rows, accepted, rejected, requests, issues } = json(validationJson, outcome);
      expect({ rows, accepted, rejected, requests }).toEqual({ rows: 6, accepted: 4, rejected: 2, requests: 2 });
      expect(errorsOf(issues)).toEqual([
        [4, 'pac', 'PAC_IS_STAC'],
        [5, 'tariff', 'TARIFF_UNKNOWN'],
      ]);
      expect(outcome.exitCode).toBe(1);
    });

    it('shows the counts, the issues by code, and what would be sent', async () => {
      const { stdout } = await emulator.run('validate', 'june.csv');
      expect(stdout).toContain('june.csv: 6 rows, 4 accepted, 2 rejected; 2 requests would be sent.');
      expect(stdout).toMatch(/^error +PAC_IS_STAC +1 +4 /m);
      expect(stdout).toMatch(/Would be sent:\ngroup +requests +rows/);
    });

    it('names the import that ported a number of the file before', async () => {
      const outcome = await emulator.run('validate', 'july.csv', '--json');
      const { rows, accepted, rejected, requests, issues } = json(validationJson, outcome);
      expect({ rows, accepted, rejected, requests }).toEqual({ rows: 6, accepted: 2, rejected: 4, requests: 1 });
      expect(errorsOf(issues)).toEqual([
        [2, 'msisdn', 'MSISDN_ALREADY_PORTED'],
        [3, 'msisdn', 'MSISDN_ALREADY_PORTED'],
        [4, 'pac', 'PAC_IS_STAC'],
        [5, 'tariff', 'TARIFF_UNKNOWN'],
      ]);
      const ported = issues.find(({ code }) => code === 'MSISDN_ALREADY_PORTED');
      expect(ported?.message).toContain(`by import ${imported.importId} (line 2)`);
      expect(outcome.exitCode).toBe(1);
    });

    it('answers a file without a fault with exit code 0', async () => {
      await emulator.write('good.csv', createPortFile([{ msisdn: '07700900501' }]));
      expect((await emulator.run('validate', 'good.csv')).exitCode).toBe(0);
    });
  });

  describe('approve IMPORT', () => {
    const plan = async (name: string, msisdn: string) => {
      await emulator.write(name, createPortFile([{ msisdn }, { msisdn: `${msisdn.slice(0, -1)}9`, tariff: '2002' }]));
      return json(outcomeJson, await emulator.run('import', name, '--plan-only', '--watch', '--json')).importId;
    };

    it('sends what was planned, once', async () => {
      const importId = await plan('later.csv', '07700900601');
      const outcome = json(
        outcomeJson,
        await emulator.run('approve', importId, '--watch', '--json', '--because', 'agreed'),
      );
      expect(outcome).toMatchObject({ importId, state: 'finished', ports: { Complete: 2 } });
      const again = await emulator.run('approve', importId);
      expect(again.exitCode).toBe(0);
      expect(again.stderr).toContain('was approved before');
    });

    it('is shown by status: each request, its rows, and why its date was chosen', async () => {
      const importId = await plan('planned.csv', '07700900611');
      const { plan: groups } = json(statusJson, await emulator.run('status', importId, '--json'));
      expect(groups).toMatchObject([
        { rows: 1, requestRows: [1], dateReason: expect.stringMatching(/first day with \d+ days? of notice/) },
        { rows: 1, requestRows: [1] },
      ]);
      const { stdout } = await emulator.run('status', importId);
      expect(stdout).toMatch(new RegExp(`^To send it: npm run simporter -- approve ${importId}$`, 'm'));
      expect(stdout).toMatch(/^Port to UK Mobile A, .* +1 +1 +1$/m);
      expect(stdout).toMatch(/^Date chosen: \d{4}-\d\d-\d\d is a \w+day, the first day with/m);
    });

    it('leaves out the rows of a list, and sends the others', async () => {
      const importId = await plan('some.csv', '07700900621');
      await emulator.write('out.txt', '+44 7700 900621\n');
      const args = ['approve', importId, '--leave-out', 'out.txt', '--watch', '--json'] as const;
      const outcome = json(outcomeJson, await emulator.run(...args));
      expect(outcome).toMatchObject({ state: 'finished', ports: { Complete: 1 } });
      const { stdout } = await emulator.run('results', importId);
      expect(stdout).toMatch(/07700900621.*\n?.*left out before the file was sent/);
    });

    it('with a list that has an unknown number changes nothing', async () => {
      const importId = await plan('all.csv', '07700900631');
      await emulator.write('unknown.txt', '07700900631\n07700900999\n');
      const { exitCode, stderr } = await emulator.run('approve', importId, '--leave-out', 'unknown.txt', '--yes');
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('does not have: 07700900999')]);
      const { requestCount, state } = json(statusJson, await emulator.run('status', importId, '--json'));
      expect([requestCount, state]).toEqual([2, 'planned']);
    });

    it('is not possible for a rejected import', async () => {
      await emulator.write('empty.csv', 'msisdn\r\n');
      const { importId } = json(
        outcomeJson,
        await emulator.run('import', 'empty.csv', '--plan-only', '--watch', '--json'),
      );
      const { exitCode, stderr } = await emulator.run('approve', importId);
      expect(exitCode).toBe(3);
      expect(stderr).toContain(`rejected ${importId}`);
    });
  });
}
