// The operations create-bundle and configure-bundle-control.

import * as z from 'zod/mini';
import { dateInZone, oneMonthBefore, parseCalendarDate, toWireDate } from '#shared/row/calendar-date.ts';
import { type ConfigureBundleControlBody, configureBundleControlBody } from '#shared/service/contract.ts';
import type { Catalogue } from './catalogue.ts';
import type { CellReader } from './columns/cell-reader.ts';
import { checkCandidates, chooseOption, semicolonHint } from './columns/named-items.ts';
import {
  checkOptions,
  checkSerialNumber,
  chooseLookupNetworks,
  type LookupNetwork,
  networkColumn,
  type Options,
  serialNumberColumn,
  serialNumbersOf,
  ticketSubmission,
} from './columns/sim-row.ts';
import {
  type AccountSettings,
  type Cells,
  type ImportContext,
  type Operation,
  type Report,
  referenceColumn,
  repeatingColumn,
  type ValidatedRow,
} from './operation.ts';

// The columns that both operations on data bundles have.

const longestText = 255;

/** A column that is only called `name` may have the names of people. */
const submissionNameColumn = repeatingColumn('submissionName', {
  aliases: ['name of submission'],
  mayBeNamed: ['name', 'bundle name'],
  isLabel: true,
  help: 'The name of the submission at the service. If empty, the name of the request.',
  example: 'July bundles',
});

const sizeColumn = (name: 'bundleSizeMb' | 'sizeMb') =>
  repeatingColumn(name, {
    aliases: ['bundle size', 'size'],
    required: true,
    namesItems: true,
    help: 'The size of the bundle: its megabytes or its name, as the network lists it.',
    example: '1024',
  });

/** Megabytes; only a size that the network lists (spec gap 40). */
async function chooseBundleSize(
  column: 'bundleSizeMb' | 'sizeMb',
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<number | undefined> {
  const text = cells.required(column);
  if (text === undefined) return undefined;
  const sizes = await catalogue.bundleSizes(network.networkNumber);
  const options = sizes.map(({ size, name }) => ({ number: size, name }));
  const kind = { column, code: 'BUNDLE_SIZE_UNKNOWN', what: 'bundle size', among: `on ${network.name}` } as const;
  return chooseOption(text, options, kind, cells)?.number;
}

/** A text that only the service checks (spec gap 40); it must not be empty. */
const requiredText = (column: string, cells: CellReader): string | undefined =>
  cells.required(column) && cells.freeText(column, longestText);

/** The user's name of the submission, if the row has one. */
const readSubmissionName = (cells: CellReader): string | undefined =>
  cells.text('submissionName') === '' ? undefined : cells.freeText('submissionName', longestText);

// Configure Bundle Control: creates or modifies data bundles of SIMs on the French networks (spec; spec gaps 13 and
// 40).

/** Unless the settings of the account name other networks. */
const defaultNetworks = ['French LMVNO', 'French M2M'] as const;

const bundleControlHead = z.extend(z.omit(configureBundleControlBody, { serialNumbers: true }), {
  networkNumber: z.int(),
});
type BundleControlHead = z.infer<typeof bundleControlHead>;

const { bundleControlPeriod: period, bundleControlEndAction: endAction } = configureBundleControlBody.shape;

const serialPerZoneColumn = {
  ...serialNumberColumn,
  help: 'The serial number of the SIM (ICCID): 19 or 20 digits from 89. One row for each SIM in a zone.',
};

const column = 'roamingBucketVolumes';
/** As of the other names of the spec. */
const longestBundleName = 255;

const dateAndTime = /^(.{10})[T ](([01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(\.0+)?Z?$/;

export const configureBundleControl: Operation = {
  name: 'configure-bundle-control',
  purpose: 'create or change data bundles on the French networks',
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
      mayBeNamed: [
        'valid until',
        'valid to',
        'until',
        'expiry',
        'expiry date',
        'expires',
        'stop',
        'stop date',
        'last day',
      ],
      looksLike: /\d/,
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
      looksLike: /=/,
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

/** `EU=500;WORLD=100`, megabytes for each zone: as the call takes them, sorted by name; undefined without any. */
export function readAllowances(cells: CellReader): ConfigureBundleControlBody[typeof column] {
  const volumes = new Map<string, number>();
  for (const part of cells.list(column)) {
    const equals = part.lastIndexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    const megabytes = part.slice(equals + 1).trim();
    if (name === '' || name.includes(',') || name.length > longestBundleName || !/^\d{1,9}$/.test(megabytes)) {
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

function readInstant(text: string | undefined, column: string, cells: CellReader): string | undefined {
  if (text === undefined) return undefined;
  const [, day = text, minutes = '00:00', , seconds = ':00'] = dateAndTime.exec(text) ?? [];
  const date = cells.accept(column, parseCalendarDate(day));
  return date && `${date}T${minutes}${seconds}`;
}

// eSIM Create Bundle: data bundles for eSIMs, with a provisioning template of their network (spec, Submissions).

/** The operation sets `type` on both levels of the body; no column can set it (spec gap 39). */
const type = 'vendor-create-bundle';

const createBundleHead = z.object({
  networkNumber: z.int(),
  name: z.optional(z.string()),
  startDate: z.string(),
  bundleSizeMb: z.int(),
  bundlePeriod: z.string(),
  provisioningTemplateId: z.int(),
});
type CreateBundleHead = z.infer<typeof createBundleHead>;

export const createBundle: Operation = {
  name: 'create-bundle',
  purpose: 'create data bundles for eSIMs',
  columns: [
    serialNumberColumn,
    { ...networkColumn, example: '218' },
    repeatingColumn('startDate', {
      isDate: true,
      aliases: ['start', 'start day'],
      required: true,
      help: 'The first day of the bundle, YYYY-MM-DD.',
      example: '2026-07-01',
    }),
    sizeColumn('bundleSizeMb'),
    repeatingColumn('bundlePeriod', {
      aliases: ['period'],
      required: true,
      onlyServiceChecks: true,
      help: 'The period of the bundle, as your account manager gave it to you. Only the service checks it.',
      example: 'monthly',
    }),
    repeatingColumn('provisioningTemplateId', {
      aliases: ['provisioning template', 'template'],
      required: true,
      namesItems: true,
      help: 'The provisioning template: its id or one of its names.',
      example: '11',
    }),
    submissionNameColumn,
    referenceColumn,
  ],
  checkShape: checkOptions(chooseBundle),
  submission: ticketSubmission({
    path: '/api/simSubmission',
    head: createBundleHead,
    bodyOf: ({ networkNumber: _, name, ...options }, request, requestName) => ({
      type,
      name: name ?? requestName,
      commands: [{ serialNumbers: serialNumbersOf(request), commandOptions: { type, ...options } }],
    }),
  }),
};

async function chooseBundle(
  cells: CellReader,
  { catalogue }: ImportContext,
): Promise<Options<CreateBundleHead> | undefined> {
  const start = cells.required('startDate');
  const date = start && cells.accept('startDate', parseCalendarDate(start));
  const bundlePeriod = requiredText('bundlePeriod', cells);
  const name = readSubmissionName(cells);
  const networks = await chooseLookupNetworks(catalogue, cells);
  const chosen = await checkCandidates(networks, cells, async (network, on) => ({
    network,
    bundleSizeMb: await chooseBundleSize('bundleSizeMb', network, catalogue, on),
    provisioningTemplateId: await chooseTemplate(network, catalogue, on),
  }));
  if (!date || !bundlePeriod || chosen === undefined) return undefined;
  const { network, bundleSizeMb, provisioningTemplateId } = chosen;
  if (bundleSizeMb === undefined || provisioningTemplateId === undefined) return undefined;
  const startDate = toWireDate(date);
  const { networkNumber } = network;
  return {
    head: { networkNumber, name, startDate, bundleSizeMb, bundlePeriod, provisioningTemplateId },
    label: `Bundle of ${bundleSizeMb} MB ${bundlePeriod} on ${network.name} from ${date}`,
  };
}

async function chooseTemplate(
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<number | undefined> {
  const column = 'provisioningTemplateId';
  const text = cells.required(column);
  if (text === undefined) return undefined;
  const templates = await catalogue.provisioningTemplates(network.networkNumber);
  const options = templates.map(({ id, templateName, friendlyName }) => ({
    number: id,
    name: friendlyName,
    also: templateName,
  }));
  const kind = {
    column,
    code: 'TEMPLATE_UNKNOWN',
    what: 'provisioning template',
    among: `on ${network.name}`,
  } as const;
  return chooseOption(text, options, kind, cells)?.number;
}
