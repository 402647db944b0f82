// The files of an import of more than 20,000 rows, which do not follow every change.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import { correctionKey, resultsKey } from '#shared/store/object-keys.ts';
import { minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { reportParts } from '../../support/steps/report.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const importId = 'import-a';
const pacs = ['INV111111', 'ABC222222', 'INV333333', 'ABC444444'];
const nationalOf = (index: number): string => `0${msisdnOf(index).slice(2)}`;
const reportNow = () => report(importId, reportParts(rig));

/** The first cells of the rows. */
const numbersIn = async (key: string, word = ''): Promise<(string | undefined)[]> => {
  const [, ...rows] = (await rig.files.readText({ bucket: 'results', key })).trimEnd().split('\r\n');
  return rows.filter((row) => row.includes(word)).map((row) => row.split(',')[0]);
};

test.each([4, 20_001])('with %i rows have the row that requires action, where another one did before', async (rows) => {
  const key = `create-port/${importId}.csv`;
  const Body = `${['msisdn,pac', ...pacs.map((pac, index) => `${nationalOf(index + 1)},${pac}`)].join('\n')}\n`;
  const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
  const file = { key, etag: ETag.replaceAll('"', ''), rows: 4, accepted: 4, columnIndexes: { msisdn: 0, pac: 1 } };
  await rig.imports.begin(importItemOf(importId, { ...file, requestCount: 2 }));
  const planned = pacs.map((pac, index) => plannedRowOf(index + 1, index + 2, pac));
  const [one, two] = await rig.plan(importId, [planned.slice(0, 2), planned.slice(2)]);
  if (one === undefined || two === undefined) throw new Error('there are two requests');
  await rig.submit(one);
  for (let run = 0; run < 6; run += 1) {
    rig.pass(10 * minute);
    await rig.sync();
  }
  await rig.submit(two, { readsBack: () => false });
  // Only the number of rows is that of a large file.
  await rig.imports.update(importId, { rows });
  await reportNow();
  expect(await numbersIn(correctionKey(importId, 'update-port'))).toEqual([nationalOf(1)]);

  // One run of sync reads both: the PAC that a person amended in the portal, and the invalid one of the other port.
  const amended = { Msisdn: nationalOf(1), Pac: 'ABC999999', PortRowStatus: 'Amended' } as const;
  await rig.porting.updatePort((await rig.request(importId, 1)).portId ?? '', { Rows: [amended] });
  rig.pass(60 * minute);
  await rig.sync();
  await reportNow();
  expect(await numbersIn(correctionKey(importId, 'update-port'))).toEqual([nationalOf(3)]);
  expect(await numbersIn(resultsKey(importId), 'action-required')).toEqual([nationalOf(3)]);
});
