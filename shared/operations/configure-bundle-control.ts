// Configure Bundle Control: data bundles of SIMs on the French networks are made or modified (spec; decisions 13 and 40).
import * as z from 'zod/mini';
import { error } from '#shared/domain/issue.ts';
import { configureBundleControlBody } from '#shared/porting/contract.ts';
import { readAllowances } from './bundle-allowances.ts';
import {
  chooseBundleSize,
  passedThrough,
  readSubmissionName,
  sizeColumn,
  submissionNameColumn,
} from './bundle-columns.ts';
import { readBundleDates } from './bundle-dates.ts';
import { column, referenceColumn } from './column.ts';
import { chooseLookupNetwork, networkColumn } from './lookup-network.ts';
import type { AccountSettings, Cells, ImportContext, Operation } from './operation.ts';
import type { ShapeReport } from './shape-report.ts';
import { serialNumberColumn } from './sim-row.ts';
import type { LookupNetwork } from './tariff-choice.ts';
import { judgeOptions, type Options, serialNumbersOf, ticketSubmission } from './ticket.ts';
import { wordCell } from './typed-cells.ts';

/** Where no setting says otherwise. */
const defaultNetworks = ['French LMVNO', 'French M2M'] as const;

const bundleControlHead = z.extend(z.omit(configureBundleControlBody, { serialNumbers: true }), {
  networkNumber: z.int(),
});
type BundleControlHead = z.infer<typeof bundleControlHead>;

const { bundleControlPeriod: period, bundleControlEndAction: endAction } = configureBundleControlBody.shape;

export const configureBundleControl: Operation = {
  name: 'configure-bundle-control',
  columns: [
    serialNumberColumn,
    { ...networkColumn, help: 'The network of the SIM: French LMVNO or French M2M, or its number.', example: '401' },
    column('zone', {
      aliases: ['roaming zone', 'bundle zone'],
      required: true,
      repeats: true,
      help: 'The identifier of the roaming zone; it is passed through.',
      example: 'EU',
    }),
    column('bundleControlPeriod', {
      aliases: ['period'],
      required: true,
      repeats: true,
      help: 'oneOff, daily or monthly.',
      example: 'monthly',
    }),
    sizeColumn('sizeMb'),
    column('startDate', {
      aliases: ['start'],
      required: true,
      repeats: true,
      help: 'YYYY-MM-DD, or YYYY-MM-DDTHH:mm:ss in UTC; at most one month ago.',
      example: '2026-07-01',
    }),
    column('endDate', {
      aliases: ['end'],
      repeats: true,
      help: 'When a oneOff bundle stops, or the others stop renewing; written as startDate is.',
      example: '2026-12-31',
    }),
    column('bundleControlEndAction', {
      aliases: ['end action'],
      required: true,
      repeats: true,
      help: 'What happens when the bundle is used up: cutoff or throttle.',
      example: 'cutoff',
    }),
    column('roamingBucketVolumes', {
      aliases: ['zone allowances', 'allowances'],
      repeats: true,
      help: 'Allowances per zone in MB, separated by semicolons; only on networks that have them.',
      example: 'EU=500;WORLD=100',
    }),
    submissionNameColumn,
    referenceColumn,
  ],
  judgeShape: judgeOptions(chooseControl),
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

async function chooseControl(
  cells: Cells,
  context: ImportContext,
  report: ShapeReport,
): Promise<Options<BundleControlHead> | undefined> {
  const { catalogue, settings } = context;
  const zone = passedThrough(cells, 'zone', report);
  const bundleControlPeriod = wordCell(cells, 'bundleControlPeriod', period.options, report);
  const { startDate, endDate } = readBundleDates(cells, context, report);
  const bundleControlEndAction = wordCell(cells, 'bundleControlEndAction', endAction.options, report);
  const roamingBucketVolumes = readAllowances(cells, report);
  const name = readSubmissionName(cells, report);
  const network = await chooseLookupNetwork(cells, catalogue, report);
  if (network === undefined || !isControlled(network, settings, report)) return undefined;
  const sizeMb = await chooseBundleSize(cells, 'sizeMb', network, catalogue, report);
  if (!zone || !bundleControlPeriod || !startDate || !bundleControlEndAction || !sizeMb) return undefined;
  const required = { zone, bundleControlPeriod, sizeMb, startDate, bundleControlEndAction };
  const optional = { endDate, roamingBucketVolumes, ...(name === undefined ? {} : { name }) };
  return {
    head: { networkNumber: network.networkNumber, ...required, ...optional },
    label: `Control ${sizeMb} MB ${bundleControlPeriod} in ${zone} on ${network.name}`,
  };
}

function isControlled(
  { name, networkNumber }: LookupNetwork,
  { bundleControlNetworks: networks = defaultNetworks }: AccountSettings,
  report: ShapeReport,
): boolean {
  if (networks.includes(name) || networks.includes(String(networkNumber))) return true;
  const message = `bundles are not controlled on ${name}, only on ${networks.join(' and ')}`;
  report.add('network', error('NETWORK_NOT_SUPPORTED', message));
  return false;
}
