// Lists of SIMs whose services people ask for. Whoever may upload can put an object of any size where lists are.
import { expect, test } from 'vitest';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import { answerSimList } from '#functions/ingest/sim-list.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { Files } from '#shared/store/files.ts';
import { countedLookups } from '../../support/ingest/catalogue.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const chunk = Buffer.alloc(10_000, ' ');

/** The texts that were written, and how many chunks of the list were read. */
async function answer(list: Iterable<Buffer>) {
  const written: string[] = [];
  let chunks = 0;
  const read = async function* () {
    for (const each of list) {
      chunks += 1;
      yield each;
    }
  };
  const files = {
    read: async () => read(),
    open: () => ({ write: async (text: string) => void written.push(text), close: async () => undefined }),
  } as unknown as Files;
  const dependencies = {
    files,
    openCatalogue: () => createCatalogue(countedLookups()),
    settings: { callingCode: '44', callsAtOnce: 1 },
    resources: { resultsBucket: 'results' },
    log: silentLog,
  } as unknown as IngestPipeline;
  await answerSimList('a', { bucket: 'inbox', key: 'sim-services/a.json' }, dependencies);
  return { written, chunks };
}

test('each SIM of a list is answered', async () => {
  const { written } = await answer([Buffer.from('["07700 900'), Buffer.from('123", "not a number"]')]);
  expect(JSON.parse(written.join(''))).toHaveLength(2);
});

test('an object that is longer than the longest list is not read to its end, and is not answered', async () => {
  expect(await answer(Array(1_000).fill(chunk))).toEqual({ written: [], chunks: 4 });
});

test.each(['["07700 900123"', '{}', '[1]', JSON.stringify(Array(251).fill('07700900123'))])(
  'an object that is not a list of at most 250 SIMs is not answered: %.20s',
  async (text) => {
    expect((await answer([Buffer.from(text)])).written).toEqual([]);
  },
);
