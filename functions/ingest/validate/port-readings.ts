// The ports that the records of a batch name, as the results table knows them. Sync reads every port in progress, and
// submit reads a port again before it changes it: so only a port that the table does not know, or whose reading would
// reject the row, is read from the service, many at a time (docs/decisions/0007).

import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import type { HeaderMap } from '#shared/files/map-header.ts';
import { type Catalogue, type ChangeablePort, lookUpOnce } from '#shared/operations/catalogue.ts';
import { isPortId } from '#shared/operations/change-port.ts';
import { readCell } from '#shared/operations/columns/cell-reader.ts';
import type { Cells, Operation } from '#shared/operations/operation.ts';
import type { PortRowState } from '#shared/port/port.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { scheduledOf } from '#shared/request/waiting-request.ts';
import { type Issue, notice } from '#shared/row/issue.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { count, counted } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';

interface NamedRow {
  readonly cells: Cells;
  readonly number: string | undefined;
  /** As written; empty where the number leads to it. */
  readonly portId: string;
}

/** Requests that hold numbers; each holds about a hundred. */
const mostHolders = 10_000;

export class PortReadings {
  /** Reads the ports of the current batch from the loaded readings. */
  readonly catalogue: Catalogue;
  readonly #source: IngestPipeline;
  readonly #operation: Operation;
  readonly #header: HeaderMap;
  readonly #findHolder: (importId: string, request: number) => Promise<RequestItem | undefined>;
  /** The request that holds each number of the batch; undefined for one of another account, or none. */
  readonly #holders = new Map<string, RequestItem | undefined>();
  readonly #ports = new Map<string, ChangeablePort | undefined>();
  readonly #readAt = new Map<string, string>();
  #oldest: string | undefined;
  #fromTable = 0;
  #fromService = 0;

  constructor(source: IngestPipeline, operation: Operation, header: HeaderMap, catalogue: Catalogue) {
    this.#source = source;
    this.#operation = operation;
    this.#header = header;
    this.#findHolder = lookUpOnce((importId, request) => source.requests.get(importId, request), mostHolders);
    this.catalogue = {
      ...catalogue,
      knownPort: async (portId) => (this.#ports.has(portId) ? this.#ports.get(portId) : catalogue.knownPort(portId)),
      findPortByNumber: async (number) =>
        this.#holders.has(number) ? this.#holders.get(number)?.portId : catalogue.findPortByNumber(number),
      findScheduled: async (number) =>
        this.#holders.has(number) ? scheduledOf(this.#holders.get(number)) : catalogue.findScheduled(number),
    };
  }

  /** Must be called for each batch before its rows are validated. */
  async readBatch(batch: RecordBatch): Promise<void> {
    this.#holders.clear();
    this.#ports.clear();
    this.#readAt.clear();
    const rows = this.#rowsOf(batch);
    await this.#findHolders(rows.flatMap(({ number, portId }) => (portId === '' && number ? number : [])));
    const byPort = Map.groupBy(rows, ({ number = '', portId }) => portId || (this.#holders.get(number)?.portId ?? ''));
    byPort.delete('');
    await this.#readTable([...byPort.keys()]);
    const missing = [...byPort]
      .filter(([portId, named]) => !this.#isOfOtherAccount(portId) && !this.#isEnough(portId, named))
      .map(([portId]) => portId);
    await inParallel(missing, this.#source.settings.callsAtOnce, (portId) => this.#readService(portId));
    for (const portId of byPort.keys()) this.#count(portId);
  }

  /** How old the readings are by which the rows were checked. */
  get notice(): Issue | undefined {
    if (this.#oldest === undefined) return undefined;
    const ports = counted(this.#fromTable + this.#fromService, 'port');
    const message =
      `${count(this.#fromTable)} of ${ports} were checked as sync has read them, the oldest at ${this.#oldest}. ` +
      'Submit reads each port again before it changes it, and skips rows that take no change any more';
    return { line: 0, column: null, ...notice('FILE_PORTS_READ_EARLIER', message) };
  }

  #rowsOf(batch: RecordBatch): NamedRow[] {
    const { indexes, defaults } = this.#header;
    return batch.lines.flatMap((_, index) => {
      if (batch.rejected.has(index)) return [];
      const record = batch.cellsOf(index);
      const cells: Cells = (name) =>
        readCell(record[indexes.get(name) ?? -1] ?? '', { name }) || (defaults.get(name) ?? '');
      const parsed = parseMsisdn(cells('msisdn'), this.#source.settings);
      const portId = cells('portId');
      // The row has an error: the service would decline to read such a port, and the file would wait for ever.
      if (portId !== '' && !isPortId(portId)) return [];
      return [{ cells, number: parsed.ok ? parsed.value : undefined, portId }];
    });
  }

  async #findHolders(numbers: readonly string[]): Promise<void> {
    for (const number of numbers) this.#holders.set(number, undefined);
    const claims = await this.#source.numbers.getMany(numbers);
    const holders = await Promise.all(claims.map(({ importId, request }) => this.#findHolder(importId, request)));
    const { account } = this.#source.settings;
    for (const [index, { number }] of claims.entries()) {
      const holder = holders[index];
      // A port of another account is not known here, and not asked for.
      this.#holders.set(number, holder?.account === account ? holder : undefined);
    }
  }

  async #readTable(portIds: readonly string[]): Promise<void> {
    const rows = new Map<string, PortRowState[]>();
    for await (const read of this.#source.ports.rowsOf(portIds)) rows.set(read.portId, read.rows);
    for await (const port of this.#source.ports.itemsOf(portIds)) {
      const { account, portId, name, status, readAt, missingReads, failedReads = 0 } = port;
      if (account !== this.#source.settings.account) {
        this.#ports.set(portId, undefined);
        continue;
      }
      const known = rows.get(portId);
      if (known === undefined || missingReads + failedReads > 0) continue;
      const shown = known.map((row) => ({ msisdn: row.msisdn, statusName: row.status }));
      this.#ports.set(portId, { id: portId, name, statusName: status, rows: shown });
      this.#readAt.set(portId, readAt);
    }
  }

  #isOfOtherAccount(portId: string): boolean {
    return this.#ports.has(portId) && this.#ports.get(portId) === undefined;
  }

  /** A reading that may be old allows a change, and never rejects one. */
  #isEnough(portId: string, rows: readonly NamedRow[]): boolean {
    const port = this.#ports.get(portId);
    if (port === undefined) return false;
    const states = new Map(port.rows.map((row) => [row.msisdn, row]));
    return rows.every(
      ({ cells, number = '' }) => this.#operation.allowsChange?.(cells, port, states.get(number)) === true,
    );
  }

  async #readService(portId: string): Promise<void> {
    this.#readAt.delete(portId);
    const { catalogue } = this;
    this.#ports.set(portId, await catalogue.port(portId));
    // Spreadsheets and people write ids in upper case.
    const lower = portId.toLowerCase();
    if (this.#ports.get(portId) === undefined && lower !== portId) this.#ports.set(lower, await catalogue.port(lower));
  }

  #count(portId: string): void {
    const readAt = this.#readAt.get(portId);
    if (readAt === undefined) {
      this.#fromService += 1;
      return;
    }
    this.#fromTable += 1;
    if (this.#oldest === undefined || readAt < this.#oldest) this.#oldest = readAt;
  }
}
