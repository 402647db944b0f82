// Configure Bundle Control: creates or modifies data bundles of SIMs on the French networks (spec; spec gaps 13 and
// 40).
import * as z from 'zod/mini';
import { type ConfigureBundleControlBody, configureBundleControlBody } from '#shared/porting/submission-contract.ts';
import { dateInZone, oneMonthBefore, parseCalendarDate } from '#shared/row/calendar-date.ts';
import {
  chooseBundleSize,
  readSubmissionName,
  requiredText,
  sizeColumn,
  submissionNameColumn,
} from './bundles/columns.ts';
import type { CellReader } from './columns/cell-reader.ts';
import { checkOptions, type Options, serialNumbersOf, ticketSubmission } from './columns/sim-row.ts';
import { checkCandidates } from './kit/candidates.ts';
import { semicolonHint } from './kit/choice.ts';
import { referenceColumn, repeatingColumn } from './kit/column.ts';
import { chooseLookupNetworks, type LookupNetwork, networkColumn } from './kit/lookup-network.ts';
import { checkSerialNumber, serialNumberColumn } from './kit/sim-row.ts';
import type { AccountSettings, Cells, ImportContext, Operation, Report, ValidatedRow } from './operation.ts';

/** Unless the settings of the account name other networks. */
const defaultNetworks = ['French LMVNO', 'French M2M'] as const;

const bundleControlHead = z.extend(z.omit(configureBundleControlBody, { serialNumbers: true }), {
  networkNumber: z.int(),
});
type BundleControlHead = z.infer<typeof bundleControlHead>;

const { bundleControlPeriod: period, bundleControlEndAction: endAction } = configureBundleControlBody.shape;

const { canonicalFormat: _, ...anySerialNumber } = serialNumberColumn;
/** Rows depend on each other by their SIM and zone, so each is validated by itself. */
const serialPerZoneColumn = {
  ...anySerialNumber,
  help: 'The serial number of the SIM (ICCID): 19 or 20 digits from 89. One row for each SIM in a zone.',
};

export const configureBundleControl: Operation = {
  name: 'configure-bundle-control',
  columns: [
    serialPerZoneColumn,
    { ...networkColumn, help: 'The network of the SIM: French LMVNO or French M2M, or its number.', example: '401' },
    repeatingColumn('zone', {
      aliases: ['roaming zone', 'bundle zone'],
      required: true,
      onlyServiceChecks: true,
      help: 'The identifier of the roaming zone. Only the service checks it.',
      example: 'EU',
    }),
    repeatingColumn('bundleControlPeriod', {
      aliases: ['period'],
      required: true,
      help: 'oneOff, daily or monthly.',
      example: 'monthly',
    }),
    sizeColumn('sizeMb'),
    repeatingColumn('startDate', {
      isDate: true,
      hasTime: true,
      aliases: ['start'],
      required: true,
      help: 'YYYY-MM-DD, or YYYY-MM-DDTHH:mm:ss in UTC. At most one month ago.',
      example: '2026-07-01',
    }),
    repeatingColumn('endDate', {
      isDate: true,
      hasTime: true,
      aliases: ['end'],
      help: 'When a oneOff bundle stops, or when other bundles stop renewing. Same format as startDate.',
      example: '2026-12-31',
    }),
    repeatingColumn('bundleControlEndAction', {
      aliases: ['end action'],
      required: true,
      help: 'What happens when the bundle is used up: cutoff or throttle.',
      example: 'cutoff',
    }),
    repeatingColumn('roamingBucketVolumes', {
      aliases: ['zone allowances', 'allowances'],
      onlyServiceChecks: true,
      help: 'Allowances per zone in MB, separated by semicolons. Only on networks that have them.',
      example: 'EU=500;WORLD=100',
    }),
    submissionNameColumn,
    referenceColumn,
  ],
  checkShape: checkOptions(chooseControl, checkSimOfZone),
  submission: ticketSubmission({
    path: '/api/simsubmission/ConfigureBundleControl',
    head: bundleControlHead,
    bodyOf: ({ networkNumber: _, ...options }, request, requestName) => ({
      name: requestName,
      ...options,
      serialNumbers: serialNumbersOf(request),
    }),
  }),
};

function checkSimOfZone(cells: Cells, report: Report, context: ImportContext): ValidatedRow | undefined {
  const subject = checkSerialNumber(cells, report, context, cells('zone'));
  return subject === undefined ? undefined : { subject, wire: null };
}

async function chooseControl(
  cells: CellReader,
  context: ImportContext,
): Promise<Options<BundleControlHead> | undefined> {
  const zone = requiredText('zone', cells);
  const bundleControlPeriod = cells.oneOf('bundleControlPeriod', period.options);
  const { startDate, endDate } = readBundleDates(cells, context);
  const bundleControlEndAction = cells.oneOf('bundleControlEndAction', endAction.options);
  const roamingBucketVolumes = readAllowances(cells);
  const name = readSubmissionName(cells);
  const networks = await chooseLookupNetworks(context.catalogue, cells);
  const isKnown = !cells.hasErrorAt('network');
  const chosen = await checkCandidates(networks, cells, async (network, on) => {
    if (isKnown) checkBundleControl(network, context.settings, on);
    return { network, sizeMb: await chooseBundleSize('sizeMb', network, context.catalogue, on) };
  });
  if (!zone || !bundleControlPeriod || !startDate || !bundleControlEndAction || !chosen?.sizeMb) return undefined;
  const { network, sizeMb } = chosen;
  const required = { zone, bundleControlPeriod, sizeMb, startDate, bundleControlEndAction };
  const optional = { endDate, roamingBucketVolumes, ...(name === undefined ? {} : { name }) };
  return {
    head: { networkNumber: network.networkNumber, ...required, ...optional },
    label: `Control ${sizeMb} MB ${bundleControlPeriod} in ${zone} on ${network.name}`,
  };
}

function checkBundleControl(
  { name, networkNumber }: LookupNetwork,
  { bundleControlNetworks: networks = defaultNetworks }: AccountSettings,
  cells: CellReader,
): void {
  if (networks.includes(name) || networks.includes(String(networkNumber))) return;
  const message = `Bundle control is not available on ${name}. It is available on ${networks.join(' and ')}`;
  cells.error('network', 'NETWORK_NOT_SUPPORTED', message);
}

const column = 'roamingBucketVolumes';
/** As of the other names of the spec. */
const longestName = 255;

/** `EU=500;WORLD=100`, megabytes for each zone: as the call takes them, sorted by name; undefined without any. */
export function readAllowances(cells: CellReader): ConfigureBundleControlBody[typeof column] {
  const volumes = new Map<string, number>();
  for (const part of cells.list(column)) {
    const equals = part.lastIndexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    const megabytes = part.slice(equals + 1).trim();
    if (name === '' || name.includes(',') || name.length > longestName || !/^\d{1,9}$/.test(megabytes)) {
      const message = `"${part}" is not in the format Name=megabytes, for example EU=500;WORLD=100`;
      cells.error(column, 'ALLOWANCE_SHAPE', message + semicolonHint(part, 'allowances'));
    } else if (volumes.has(name)) {
      cells.error(column, 'ALLOWANCE_SHAPE', `${name} has two allowances. Keep one`);
    }
    volumes.set(name, Number(megabytes));
  }
  if (volumes.size === 0) return undefined;
  return [...volumes]
    .map(([Name, AllowanceMB]) => ({ Name, AllowanceMB }))
    .sort((one, other) => (one.Name < other.Name ? -1 : 1));
}

/** Reads `startDate`, at most one calendar month before the current UTC date (spec gap 13), and `endDate`. */
function readBundleDates(cells: CellReader, { calendar }: ImportContext) {
  const startDate = readInstant(cells.required('startDate'), 'startDate', cells);
  const endDate = readInstant(cells.text('endDate') || undefined, 'endDate', cells);
  const earliest = oneMonthBefore(dateInZone(calendar(), 'UTC'));
  if (startDate !== undefined && startDate < earliest) {
    const message = `${startDate.slice(0, 10)} is more than one month ago. The earliest day is ${earliest}`;
    cells.error('startDate', 'DATE_TOO_EARLY', message);
  }
  if (startDate !== undefined && endDate !== undefined && endDate <= startDate) {
    cells.error('endDate', 'DATE_END_BEFORE_START', `endDate ${endDate} is not after startDate ${startDate}`);
  }
  return { startDate, endDate };
}

const dateAndTime = /^(.{10})[T ](([01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(\.0+)?Z?$/;

function readInstant(text: string | undefined, column: string, cells: CellReader): string | undefined {
  if (text === undefined) return undefined;
  const [, day = text, minutes = '00:00', , seconds = ':00'] = dateAndTime.exec(text) ?? [];
  const date = cells.accept(column, parseCalendarDate(day));
  return date && `${date}T${minutes}${seconds}`;
}
