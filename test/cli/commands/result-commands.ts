// The results of an import, and what to do about them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { writeWorkbook } from '#shared/files/workbook/write-workbook.ts';
import { emulator, imported, json, jsonLines, textOfPart } from '../../support/cli/examined-import.ts';
import { createPortFile } from '../../support/cli/files.ts';
import {
  actionsJson,
  correctionJson,
  issueJson,
  portJson,
  resultJson,
  validationJson,
  writtenJson,
} from '../../support/cli/json-shapes.ts';
import { readWorkbookFile } from '../../support/files/read-workbook.ts';

export function testResultCommands(): void {
  describe('results IMPORT', () => {
    it('answers every row with its own columns and its result', async () => {
      const results = jsonLines(resultJson, await emulator.run('results', imported.importId, '--json'));
      expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
        [2, 'complete'],
        [3, 'complete'],
        [4, 'rejected'],
        [5, 'rejected'],
        [6, 'action-required'],
        [7, 'in-progress'],
      ]);
      expect(results[0]?.columns).toMatchObject({ msisdn: '07700900101', reference: 'first' });
    });

    it('masks every PAC', async () => {
      const { stdout } = await emulator.run('results', imported.importId, '--json');
      expect(stdout).not.toContain('ABC123456');
      expect(stdout).not.toContain('INV123456');
    });

    it('writes all rows with --csv', async () => {
      const outcome = await emulator.run('results', imported.importId, '--csv', 'out/results.csv', '--json');
      expect(json(writtenJson, outcome)).toEqual({ written: ['out/results.csv'], simulated: true });
      const written = await readFile(join(emulator.folder, 'out/results.csv'), 'utf8');
      expect(written.trim().split('\r\n')).toHaveLength(7);
    });

    it('writes the same rows as a workbook of texts with --xlsx', async () => {
      const outcome = await emulator.run('results', imported.importId, '--xlsx', 'out/results.xlsx', '--json');
      expect(json(writtenJson, outcome)).toEqual({ written: ['out/results.xlsx'], simulated: true });
      const { header, rows } = await readWorkbookFile(join(emulator.folder, 'out/results.xlsx'));
      const csv = (await readFile(join(emulator.folder, 'out/results.csv'), 'utf8')).slice(1).split('\r\n');
      expect(header.join(',')).toBe(csv[0]);
      expect(rows).toHaveLength(6);
      expect(rows[0]?.slice(0, 2)).toEqual(csv[1]?.split(',').slice(0, 2));
    });

    it('writes them to standard output with --csv -, and nothing else', async () => {
      const outcome = await emulator.run('results', imported.importId, '--csv', '-', '--json');
      expect(outcome.stdout).toBe(await readFile(join(emulator.folder, 'out/results.csv'), 'utf8'));
      expect(outcome.stderr).toBe('');
    });

    it('answers as many rows as --first says, and the footer counts those of the file', async () => {
      const two = await emulator.run('results', imported.importId, '--first', '2', '--json');
      expect(jsonLines(resultJson, two).map(({ line }) => line)).toEqual([2, 3]);
    });

    it('names the dates of a complete row', async () => {
      const [first] = jsonLines(resultJson, await emulator.run('results', imported.importId, '--json'));
      expect(first).toMatchObject({ outcome: 'complete', bookedDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
      const { submittedAt = '', completedAt = '' } = first ?? {};
      expect(Date.parse(completedAt)).toBeGreaterThan(Date.parse(submittedAt));
    });

    it('shows the totals and the first rows', async () => {
      const { stdout, stderr } = await emulator.run('results', imported.importId, '--first', '2');
      expect(stdout).toMatch(/^complete +Complete +2$/m);
      expect(stderr).toContain('Showing 2 of 6 rows');
    });
  });

  describe('rejected IMPORT', () => {
    it('answers each error with its line', async () => {
      const errors = jsonLines(issueJson, await emulator.run('rejected', imported.importId, '--json'));
      expect(errors.map(({ line }) => line)).toEqual([4, 5]);
    });

    it('writes a file that can be fixed and imported again', async () => {
      await emulator.run('rejected', imported.importId, '--csv', 'rejected.csv');
      const rejected = await readFile(join(emulator.folder, 'rejected.csv'), 'utf8');
      await emulator.write('fixed.csv', rejected.replace('123456ABC', 'ABC123456').replace('9999', '2001'));
      const outcome = json(validationJson, await emulator.run('validate', 'fixed.csv', '--json'));
      expect(outcome).toMatchObject({ rows: 2, accepted: 2, rejected: 0 });
    });

    it('names the command that imports the file, and PACs only where it has some', async () => {
      const ports = await emulator.run('rejected', imported.importId, '--csv', 'rejected.csv');
      expect(ports.stderr).toContain('import rejected.csv --operation create-port --watch');
      expect(ports.stderr).toContain('The file contains PACs');
      await emulator.write('bars.csv', 'serialNumber,gprs\r\n89440030110010000704,maybe\r\n');
      const validation = ['validate', 'bars.csv', '--operation', 'bar', '--json'];
      const { importId } = json(validationJson, await emulator.run(...validation));
      const bars = await emulator.run('rejected', importId, '--csv', 'rejected.csv');
      expect(bars.stderr).toContain('import rejected.csv --operation bar --watch');
      expect(bars.stderr).not.toContain('PAC');
    });

    it('counts duplicates as validate does, and lists every error', async () => {
      const rows = ['07700900801', '07700900801', 'x'].map((msisdn) => ({ msisdn }));
      await emulator.write('twice.csv', createPortFile(rows));
      const validated = await emulator.run('validate', 'twice.csv');
      expect(validated.stdout).toMatch(/^twice\.csv: 3 rows, 1 accepted, 1 rejected, 1 duplicate;/);
      const [, importId = ''] = /rejected (\w{16}) --csv rejected\.csv$/m.exec(validated.stdout) ?? [];
      expect((await emulator.run('rejected', importId)).stderr).toContain('1 rejected, 1 duplicate. To fix them: ');
    });

    it('writes a workbook with dropdown lists that can be fixed and imported again', async () => {
      await emulator.run('rejected', imported.importId, '--xlsx', 'rejected.xlsx');
      const path = join(emulator.folder, 'rejected.xlsx');
      const { header, rows } = await readWorkbookFile(path);
      expect(header.slice(-3)).toEqual(['importId', 'line', 'errors']);
      const choices = await textOfPart(path, 'xl/worksheets/sheet2.xml');
      for (const value of ['MigrateIn', 'UK Mobile A', 'Source Mobile One'])
        expect(choices).toContain(`<t>${value}</t>`);
      const fixes: Record<string, string> = { '123456ABC': 'ABC123456', '9999': '2001' };
      const fixed = rows.map((cells) => cells.map((cell) => fixes[cell] ?? cell));
      await writeFile(join(emulator.folder, 'fixed.xlsx'), writeWorkbook({ header, rows: Readable.from([fixed]) }));
      const outcome = json(validationJson, await emulator.run('validate', 'fixed.xlsx', '--json'));
      expect(outcome).toMatchObject({ rows: 2, accepted: 2, rejected: 0 });
    });

    it('is one file: a CSV or a workbook', async () => {
      const { exitCode, stderr } = await emulator.run(
        'rejected',
        imported.importId,
        '--xlsx',
        'a.xlsx',
        '--csv',
        'a.csv',
      );
      expect(exitCode).toBe(2);
      expect(stderr).toContain("'--xlsx <file>' cannot be used with option '--csv <file>'");
    });
  });

  describe('corrections --kind', () => {
    it.each([
      ['rejected', 'rejected'],
      ['mismatches', 'services'],
      ['corrections', 'declined'],
    ])('%s is the same as --kind %s', async (alias, kind) => {
      for (const options of [[], ['--json'], ['--csv', '-']]) {
        const short = await emulator.run(alias, imported.importId, ...options);
        expect(await emulator.run('corrections', imported.importId, '--kind', kind, ...options)).toEqual(short);
        expect(short.stdout + short.stderr).not.toBe('');
      }
    });

    it.each([
      [['--kind', 'services', '--operation', 'create-port'], '--operation needs --kind declined'],
      [['--kind', 'rejected', '--again'], '--again needs --kind services'],
      [['--kind', 'services', '--xlsx', 'services.xlsx'], '--kind services writes no workbook'],
      [['--kind', 'cancelled'], 'Allowed choices are rejected, declined, services'],
    ])('declines the options %j', async (options, reason) => {
      const { exitCode, stderr } = await emulator.run('corrections', imported.importId, ...options);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
    });
  });

  describe('actions and port ID', () => {
    const readEntries = async () => json(actionsJson, await emulator.run('actions', '--json')).actionRequired;

    it('lists every required action, with what to do', async () => {
      const [entry] = await readEntries();
      expect(entry).toMatchObject({
        kind: 'port',
        status: 'Pac Check Failed',
        blockedRows: 1,
        importId: imported.importId,
      });
      expect(entry?.numbers).toMatchObject([{ msisdn: '447700900105', line: 6, status: 'PacInvalid' }]);
      expect(entry).toMatchObject({
        summary: '1 row blocks 1 ready row',
        // A day of this calendar lasts four seconds, so the port may have been made after the deadline of its date.
        cancelBy: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:/),
        next: `npm run simporter -- corrections ${imported.importId} --csv correct.csv`,
      });
      expect((await emulator.run('actions')).exitCode).toBe(1);
    });

    it('shows each row of the port, what blocks it, and its history', async () => {
      const [entry] = await readEntries();
      const port = json(portJson, await emulator.run('port', entry?.id ?? '', '--json'));
      expect(port.rows.map(({ msisdn, blockedBy }) => [msisdn, blockedBy])).toEqual([
        ['447700900105', []],
        ['447700900106', ['447700900105']],
      ]);
      expect(port.events.at(-1)?.status).toBe('Pac Check Failed');
    });

    it('never shows a PAC', async () => {
      const [entry] = await readEntries();
      const { stdout } = await emulator.run('port', entry?.id ?? '');
      expect(stdout).toContain('1 row blocks 1 ready row');
      expect(stdout).not.toMatch(/[A-Z]{3}\d{6}/);
    });

    it('exits 2 for a port that simporter did not create', async () => {
      expect((await emulator.run('port', '00000000-0000-4000-8000-000000000000')).exitCode).toBe(2);
    });
  });

  describe('corrections IMPORT', () => {
    it('answers each row that needs a new PAC, with the columns to import', async () => {
      const [line, ...others] = jsonLines(
        correctionJson,
        await emulator.run('corrections', imported.importId, '--json'),
      );
      expect(others).toEqual([]);
      expect(line).toMatchObject({
        operation: 'update-port',
        line: 6,
        reason: expect.stringContaining('PacInvalid'),
        columns: { msisdn: '07700900105', pac: '' },
      });
    });

    it('writes the file to fill in, and names the command to import it', async () => {
      const { stderr, exitCode } = await emulator.run('corrections', imported.importId, '--csv', 'correct.csv');
      expect(exitCode).toBe(1);
      expect(stderr).toContain('import correct.csv --operation update-port');
      const written = await readFile(join(emulator.folder, 'correct.csv'), 'utf8');
      expect(written).toMatch(
        /^\uFEFFmsisdn,portId,pac,reason,importId,line,reference\r\n07700900105,[-0-9a-f]{36},,PacInvalid: /,
      );
    });

    it('writes no file when no row needs a new PAC', async () => {
      const outcome = await emulator.run('corrections', 'august.csv', '--csv', 'nothing.csv', '--json');
      expect(json(writtenJson, outcome)).toEqual({ written: [], simulated: true });
      expect(outcome.exitCode).toBe(0);
    });

    it('shows each row, the reason, and the next command', async () => {
      const { stdout, stderr } = await emulator.run('corrections', imported.importId);
      expect(stdout).toMatch(/^ *6 +07700900105 +update-port +PacInvalid: The PAC is not valid/m);
      expect(stderr).toContain(`corrections ${imported.importId} --csv correct.csv`);
    });
  });
}
