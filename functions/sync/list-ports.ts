// Reads the whole list of ports, as a person asked for it, and writes it as one file. The list has no numbers: those of
// a port that was made elsewhere are read once, some with each reading of the list.

import { portStatus } from '#shared/port/port-status.ts';
import type { ListPortsAnswer } from '#shared/request/messages.ts';
import { comparePorts, openPortList, type PortRecord, portListCsv, portListFacts } from '#shared/results/ports.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import { redactText } from '#shared/row/redact.ts';
import { timeNeeded } from '#shared/runtime/clock.ts';
import { isPortingFailure } from '#shared/service/errors.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { newScan, scanPorts, showsAll } from '#shared/service/scan-port-list.ts';
import { portListKey } from '#shared/store/object-keys.ts';
import { isoTime, oneLine } from '#shared/text/wording.ts';
import { createFailureClassifier } from './failure-classifier.ts';
import { runLimits } from './intervals.ts';
import type { SyncPipeline } from './run.ts';

type Ports = Map<string, PortRecord>;

/**
 * Ports that a reading did not reach keep their earlier state. If the service fails, the reading ends and what it has
 * shown is kept.
 */
export async function listPorts(pipeline: SyncPipeline): Promise<ListPortsAnswer> {
  const { files, resources, settings, clocks, log } = pipeline;
  const earlier = await readEarlier(pipeline);
  const readAt = isoTime(clocks.calendar());
  const scan = newScan();
  const found: Ports = new Map();
  let failure: string | undefined;
  const unlessDown = async (step: () => Promise<unknown>): Promise<void> => {
    if (failure !== undefined) return;
    try {
      await step();
    } catch (error) {
      if (!isPortingFailure(error)) throw error;
      failure = redactText(error.message);
    }
  };
  await unlessDown(() => readList(scan, earlier, found, readAt, pipeline));
  const isComplete = showsAll(scan);
  const ports: Ports = isComplete ? found : new Map([...earlier, ...found]);
  const answer = () => ({ ports: ports.size, isComplete, ...(failure !== undefined && { failure }) });
  if (scan.pages === 0) return answer();
  await addOwners(ports, pipeline);
  await unlessDown(() => addNumbers(ports, pipeline));
  const key = portListKey(settings.account);
  const facts = portListFacts({ readAt, writtenAt: isoTime(clocks.wall()), isComplete });
  const file = files.open(resources.resultsBucket, key, 'text/csv; charset=utf-8', facts);
  for (const text of portListCsv([...ports.values()].sort(comparePorts))) await file.write(text);
  await file.close();
  log.info('the list of ports was written', answer());
  return answer();
}

async function readEarlier({ files, resources }: SyncPipeline): Promise<Ports> {
  const list = await openPortList({ files, resources });
  const ports: Ports = new Map();
  for await (const batch of list?.batches ?? []) for (const port of batch) ports.set(port.portId, port);
  return ports;
}

const isOver = ({ deadline }: SyncPipeline): boolean => !deadline.hasTimeFor(timeNeeded.searchPortList);

async function readList(
  scan: ReturnType<typeof newScan>,
  earlier: Ports,
  found: Ports,
  readAt: string,
  pipeline: SyncPipeline,
): Promise<void> {
  const { client, settings } = pipeline;
  const visit: Parameters<typeof scanPorts>[2] = ({ id, name, statusName, connectionDate, rowCount }) => {
    const { numbers = null, importId = null } = earlier.get(id) ?? {};
    const shown = { name: redactText(oneLine(name)), status: statusName, connectionDate: connectionDate.slice(0, 10) };
    found.set(id, { portId: id, ...shown, rowCount: Math.max(0, rowCount), numbers, importId, readAt });
  };
  await scanPorts(client, scan, visit, {
    maximumPages: runLimits.listedPages,
    isOver: () => isOver(pipeline),
    callsAtOnce: settings.callsAtOnce,
  });
}

/** The imports of ports, and the numbers of these, as the table knows them. */
async function addOwners(listed: Ports, pipeline: SyncPipeline): Promise<void> {
  const { ports } = pipeline;
  const { noteUnreadable } = createFailureClassifier(pipeline).failures;
  const change = (portId: string, changes: Partial<PortRecord>): void => {
    const port = listed.get(portId);
    if (port !== undefined) listed.set(portId, { ...port, ...changes });
  };
  const idsOf = (isChosen: (port: PortRecord) => boolean) =>
    [...listed.values()].filter(isChosen).map(({ portId }) => portId);
  const unowned = idsOf(({ importId }) => importId === null);
  for await (const { portId, importId } of ports.itemsOf(unowned, noteUnreadable)) change(portId, { importId });
  const unread = idsOf(({ importId, numbers }) => importId !== null && numbers === null);
  for await (const { portId, rows } of ports.rowsOf(unread, noteUnreadable)) {
    change(portId, { numbers: rows.map(({ msisdn }) => msisdn).join(';') });
  }
}

/** Those in progress first. */
async function addNumbers(listed: Ports, pipeline: SyncPipeline): Promise<void> {
  const { settings, log } = pipeline;
  const { client, failures } = createFailureClassifier(pipeline);
  const unread = [...listed.values()].filter(({ numbers }) => numbers === null);
  const [ended, live] = [true, false].map((isEnded) =>
    unread.filter(({ status }) => portStatus(status).terminal === isEnded),
  );
  const chosen = [...(live ?? []), ...(ended ?? [])].slice(0, runLimits.portDetails);
  await inParallel(chosen, settings.callsAtOnce, async (port) => {
    if (isOver(pipeline)) return;
    const detail = await client.port(port.portId).catch(async (error: unknown) => {
      await failures.deferIsolated(error);
      log.warn('the numbers of a port could not be read', { portId: port.portId, error });
      return undefined;
    });
    if (detail === undefined) return;
    const numbers = detail.rows.map(({ msisdn }) => msisdnKey(msisdn, settings.callingCode)).join(';');
    listed.set(port.portId, { ...port, numbers });
  });
}
