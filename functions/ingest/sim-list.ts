// Reads the current services of a list of SIMs that a person uploads to the inbox.
import * as z from 'zod/mini';
import { mostSims, readSimServices } from '#shared/operations/sim-services.ts';
import type { ObjectRef } from '#shared/store/files.ts';
import { simServicesKey } from '#shared/store/object-keys.ts';
import { readAtMost } from '#shared/text/first-bytes.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';

const simList = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(mostSims));

/** Each with quotation marks, a comma and spaces. */
const mostBytes = mostSims * 120;

/** Writes one object with the services of all SIMs of the list. */
export async function answerSimList(id: string, list: ObjectRef, pipeline: IngestPipeline): Promise<void> {
  const { files, openCatalogue, settings, log, resources } = pipeline;
  const bytes = await readAtMost(await files.read(list), mostBytes);
  const parsed = simList.safeParse(bytes && parseJson(bytes.toString()));
  if (!parsed.success) {
    log.warn('a list of SIMs cannot be read', { id });
    return;
  }
  const source = { catalogue: openCatalogue(), callingCode: settings.callingCode, callsAtOnce: settings.callsAtOnce };
  const answers = await readSimServices(parsed.data, source);
  const writer = files.open(resources.resultsBucket, simServicesKey(id), 'application/json');
  await writer.write(JSON.stringify(answers));
  await writer.close();
  log.info('services of SIMs were read', { id, sims: answers.length });
}
