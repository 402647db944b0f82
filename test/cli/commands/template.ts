import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { openArchive } from '#shared/files/workbook/open-archive.ts';
import { operations } from '#shared/operations/registry.ts';
import { runInFolder } from '../../support/cli/emulator.ts';
import { templateJson, validationJson } from '../../support/cli/json-shapes.ts';
import { engine } from '../../support/cli/shared-emulator.ts';
import { readWorkbookFile } from '../../support/files/read-workbook.ts';

export function testTemplates(): void {
  describe('template', () => {
    const templateOf = async (operation: string) => {
      // The first run of sync writes the reference data, shortly after the start.
      const template = () => engine.run('--json', 'template', operation);
      await expect.poll(async () => (await template()).exitCode).toBe(0);
      return templateJson.parse(JSON.parse((await template()).stdout)).csv;
    };

    it('a template from the live catalogue has a Type-A and a Type-B row with names that the service knows', async () => {
      const [header, typeA, typeB] = (await templateOf('create-port')).split('\r\n').map((line) => line.split(','));
      const cell = (row: readonly string[] | undefined, name: string) => row?.[header?.indexOf(name) ?? -1];
      expect([cell(typeA, 'targetNetwork'), cell(typeA, 'tariff')]).toEqual(['UK Mobile A', 'Business Unlimited']);
      expect([cell(typeA, 'boltOns'), cell(typeA, 'provisioningOrder')]).toEqual(['Data 1 GB', 'Head Office']);
      expect([cell(typeB, 'boltOns'), cell(typeB, 'provisioningOrderName')]).toEqual(['', 'New order']);
      // The example file describes its own values, which the rows no longer have.
      expect([cell(typeA, 'reference'), cell(typeB, 'reference')]).toEqual(Array(2).fill('Example: replace this row'));
    });

    /** Rows of the other operations name an existing port, which no template can know. */
    const withoutPorts = [...operations.values()].filter(({ submission }) => submission.makes !== 'change');

    it.each(withoutPorts.map(({ name }) => name))(
      'every row of the live template of %s passes validate',
      async (operation) => {
        const csv = await templateOf(operation);
        await engine.write(`${operation}.csv`, csv);
        const { stdout } = await engine.run('--json', 'validate', `${operation}.csv`, '--operation', operation);
        expect(validationJson.parse(JSON.parse(stdout))).toMatchObject({ rows: 2, rejected: 0 });
      },
    );

    it('without an emulator the values are examples, and a note explains it', async () => {
      const { stdout, stderr, exitCode } = await runInFolder(engine.folder, [
        '--directory',
        'elsewhere',
        'template',
        'create-port',
      ]);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(',UK Mobile A,Source Mobile One,auto,2001,');
      expect(stderr).toContain('The values are examples');
    });

    it('a template as a workbook has the same rows as texts, and lists of the networks to choose from', async () => {
      const { exitCode } = await engine.run('template', 'create-port', '--xlsx', 'template.xlsx');
      expect(exitCode).toBe(0);
      const { header, rows } = await readWorkbookFile(join(engine.folder, 'template.xlsx'));
      const csv = [header, ...rows].map((cells) => csvRow(cells)).join('');
      expect(csv).toBe(await templateOf('create-port'));
      const archive = await openArchive(createReadStream(join(engine.folder, 'template.xlsx')));
      const sheet = Buffer.concat(await Array.fromAsync(archive.read('xl/worksheets/sheet1.xml', 1e6))).toString();
      const column = String.fromCharCode(65 + header.indexOf('targetNetwork'));
      archive.close();
      // Also for the rows that a person adds.
      expect(sheet).toContain(`sqref="${column}2:${column}1003"`);
    });
  });
}
