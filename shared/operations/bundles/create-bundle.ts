// eSIM Create Bundle: data bundles for eSIMs, with a provisioning template of their network (spec, Submissions).
import * as z from 'zod/mini';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { checkOptions, type Options, serialNumbersOf, ticketSubmission } from '#shared/operations/columns/sim-row.ts';
import type { ImportContext, Operation } from '#shared/operations/operation.ts';
import { parseCalendarDate, toWireDate } from '#shared/row/calendar-date.ts';
import { checkCandidates } from '../kit/candidates.ts';
import { findOption, reportUnknown } from '../kit/choice.ts';
import { referenceColumn, repeatingColumn } from '../kit/column.ts';
import { chooseLookupNetworks, type LookupNetwork, networkColumn } from '../kit/lookup-network.ts';
import { serialNumberColumn } from '../kit/sim-row.ts';
import { chooseBundleSize, readSubmissionName, requiredText, sizeColumn, submissionNameColumn } from './columns.ts';

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
  const byTemplateName = templates.map(({ id, templateName }) => ({ number: id, name: templateName }));
  const byFriendlyName = templates.map(({ id, friendlyName }) => ({ number: id, name: friendlyName }));
  const kind = {
    column,
    code: 'TEMPLATE_UNKNOWN',
    what: 'provisioning template',
    among: `on ${network.name}`,
  } as const;
  const chosen = findOption(text, byFriendlyName) ?? findOption(text, byTemplateName);
  return chosen?.number ?? reportUnknown(text, byFriendlyName, kind, cells);
}
