// Lists of imports, and one import, number or audit trail.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emulator, imported, json, jsonLines } from '../../support/cli/examined-import.ts';
import {
  auditJson,
  foundRowsJson,
  importsJson,
  numberJson,
  numberLineJson,
  portDaysJson,
  statusJson,
} from '../../support/cli/json-shapes.ts';

export function testListCommands(): void {
  describe('imports', () => {
    it('lists the newest first', async () => {
      const { imports } = json(importsJson, await emulator.run('imports', '--json'));
      expect(imports.at(-1)).toMatchObject({ importId: imported.importId, file: 'july.csv' });
    });

    it('leaves validations out, unless all are asked for', async () => {
      await emulator.write('only-checked.csv', 'msisdn\n');
      await emulator.run('validate', 'only-checked.csv');
      const filesOf = async (...words: string[]) =>
        json(importsJson, await emulator.run('imports', ...words, '--json')).imports.map(({ file }) => file);
      expect(await filesOf()).not.toContain('only-checked.csv');
      expect(await filesOf('--all')).toContain('only-checked.csv');
    });

    it('shows a table', async () => {
      const { stdout } = await emulator.run('imports');
      expect(stdout).toMatch(new RegExp(`^${imported.importId} +july.csv `, 'm'));
    });
  });

  describe('ports', () => {
    it('exits 2 for a status that no port has, and names those of the service', async () => {
      const { exitCode, stderr } = await emulator.run('ports', '--status', 'nonsense');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('--status "nonsense" is no status of a port.');
      expect(stderr).toContain('Complete');
      expect((await emulator.run('ports', '--status', 'locked')).exitCode).toBe(0);
    });

    it('shows those of some days with their numbers, from the results table', async () => {
      const days = ['--from', '2026-01-01', '--to', '2099-12-31'];
      const shown = json(portDaysJson, await emulator.run('ports', ...days, '--json'));
      expect(shown.days.length).toBeGreaterThan(0);
      const numbers = shown.ports.flatMap((port) => port.numbers);
      expect(numbers.length).toBe(shown.ports.reduce((sum, { rowCount }) => sum + rowCount, 0));
      const { stdout } = await emulator.run('ports', ...days);
      expect(stdout).toMatch(/^day +ports +numbers +complete +blocked +cancel by \(UTC\)/m);
      expect(stdout).toContain(shown.ports[0]?.portId);
      const csv = await emulator.run('ports', ...days, '--csv', '-');
      expect(csv.stdout).toContain(String(numbers[0]));
    });

    it.each([
      [['--to', '2026-07-16'], '--to needs --from.'],
      [['--from', '16'], '--from "16" is not a day: '],
      [['--from', '2026-07-16', '--to', '2026-07-15'], '--to "2026-07-15" is before --from "2026-07-16".'],
    ])('exits 2 for %j', async (words, message) => {
      const { exitCode, stderr } = await emulator.run('ports', ...words);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    });
  });

  describe('status IMPORT', () => {
    it.each([
      ['its id', () => imported.importId],
      ['the beginning of its id', () => imported.importId.slice(0, 8)],
      ['the key in the inbox', () => 'create-port/august.csv'],
    ])('finds an import by %s', async (_how, given) => {
      const outcome = await emulator.run('status', given(), '--json');
      expect(json(statusJson, outcome).operation).toBe('create-port');
    });

    it('shows the counts, and the rows that require an action', async () => {
      const { stdout, exitCode } = await emulator.run('status', imported.importId);
      expect(stdout).toContain('6 rows: 4 accepted, 2 rejected');
      expect(stdout).toMatch(/^action required +1 row/m);
      expect(exitCode).toBe(1);
    });

    it('exits 2 for an unknown import, and suggests a similar name', async () => {
      const { exitCode, stderr } = await emulator.run('status', 'jully.csv');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('Did you mean july.csv');
    });
  });

  describe('audit IMPORT', () => {
    it('finds the import that was sent by the name of its file, whatever was validated since', async () => {
      const { importId, entries } = json(auditJson, await emulator.run('audit', 'july.csv', '--json'));
      expect(importId).toBe(imported.importId);
      expect(entries[0]).toMatchObject({ action: 'uploaded', details: { file: 'create-port/july.csv' } });
    });
  });

  describe('number MSISDN', () => {
    it.each(['07700900101', '+44 7700 900101', '447700900101'])('reads the notation %s', async (notation) => {
      const number = json(numberJson, await emulator.run('number', notation, '--json'));
      expect(number).toMatchObject({ number: '447700900101', line: 2, file: 'july.csv', portStatus: 'Complete' });
    });

    it('answers each number of a file, also of one without a header', async () => {
      await emulator.write('list.txt', '07700900101\n+44 7700 900105\n07700900999\nnonsense\n');
      const outcome = await emulator.run('numbers', 'list.txt', '--json');
      expect(outcome.exitCode).toBe(1);
      expect(jsonLines(numberLineJson, outcome)).toMatchObject([
        { line: 1, number: '447700900101', outcome: 'complete', importId: imported.importId, importLine: 2 },
        { line: 2, number: '447700900105', outcome: 'action-required', status: 'PacInvalid' },
        { line: 3, number: '447700900999', outcome: null, importId: null },
        { line: 4, text: 'nonsense', number: null, outcome: null },
      ]);
      const alike = await emulator.run('number', 'list.txt', '--json');
      expect(alike).toEqual(outcome);
      const shown = await emulator.run('numbers', 'july.csv');
      expect(shown.stdout).toMatch(/^6 numbers: 2 complete, /m);
      await emulator.run('numbers', 'july.csv', '--csv', 'answers.csv');
      const [header, first] = (await readFile(join(emulator.folder, 'answers.csv'), 'utf8')).split('\r\n');
      expect(header).toContain('line,number,outcome,status,message');
      expect(first).toMatch(/^2,\+447700900101,complete,Complete,/);
    });

    it('takes a text that reads as a number for that number, also where a file has its name', async () => {
      await emulator.write('07700900101', '07700900999\n');
      const found = json(numberJson, await emulator.run('number', '07700900101', '--json'));
      expect(found).toMatchObject({ number: '447700900101', line: 2 });
      const list = jsonLines(numberLineJson, await emulator.run('numbers', '07700900101', '--json'));
      expect(list).toMatchObject([{ line: 1, number: '447700900999' }]);
      const { exitCode, stderr } = await emulator.run('number', '07700900101', '--csv', 'answers.csv');
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('need a file of numbers')]);
      const missing = await emulator.run('number', 'nothing.txt', '--csv', 'answers.csv');
      expect([missing.exitCode, missing.stderr]).toEqual([
        2,
        expect.stringContaining('There is no file "nothing.txt"'),
      ]);
    });

    it('exits 2 for a file without numbers', async () => {
      await emulator.write('names.csv', 'name\nAnna\n');
      const { exitCode, stderr } = await emulator.run('numbers', 'names.csv');
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('has no column of mobile numbers')]);
    });

    it('states of a number without a port only that it was not ported', async () => {
      const { exitCode, stderr } = await emulator.run('number', '07700900999');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('No import has ported +447700900999.');
      expect(stderr).toMatch(/No row has it: \d+ imports? searched/);
    });

    it.each([
      ['first', { line: 2, column: 'reference', cell: 'first', outcome: 'complete' }],
      ['07700 900104', { line: 5, column: 'msisdn', outcome: 'rejected' }],
    ])('finds %s in a file, also in a row that was not sent', async (text, row) => {
      const found = json(foundRowsJson, await emulator.run('number', text, '--json'));
      expect(found.rows).toContainEqual(expect.objectContaining({ importId: imported.importId, ...row }));
      expect((await emulator.run('number', text)).stdout).toContain(imported.importId);
    });

    it('shows what to do about a number that requires an action', async () => {
      const { exitCode, stdout } = await emulator.run('number', '07700900105');
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^status +PacInvalid$/m);
      expect(stdout).toMatch(/^what to do +Get a new PAC/m);
    });

    it('exits 2 for text that is not a number', async () => {
      const { exitCode, stderr } = await emulator.run('number', '4.477E+11');
      expect(exitCode).toBe(2);
      expect(stderr).toContain('Excel');
    });
  });
}
