// eSIM Create Bundle: data bundles for eSIMs, by a provisioning template of their network (spec, Submissions).
import * as z from 'zod/mini';
import { parseCalendarDate, toWireDate } from '#shared/domain/calendar-date.ts';
import { error } from '#shared/domain/issue.ts';
import {
  chooseBundleSize,
  passedThrough,
  readSubmissionName,
  sizeColumn,
  submissionNameColumn,
} from './bundle-columns.ts';
import type { Catalogue } from './catalogue.ts';
import { choose, missed } from './choice.ts';
import { column, referenceColumn } from './column.ts';
import { chooseLookupNetwork, networkColumn } from './lookup-network.ts';
import type { Cells, ImportContext, Operation } from './operation.ts';
import { requiredCell, type ShapeReport } from './shape-report.ts';
import { serialNumberColumn } from './sim-row.ts';
import type { LookupNetwork } from './tariff-choice.ts';
import { judgeOptions, type Options, serialNumbersOf, ticketSubmission } from './ticket.ts';

/** `type` of both levels of the body is the operation's; no column can set it (decision 39). */
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
    column('startDate', {
      aliases: ['start', 'start day'],
      required: true,
      repeats: true,
      help: 'The first day of the bundle, YYYY-MM-DD.',
      example: '2026-07-01',
    }),
    sizeColumn('bundleSizeMb'),
    column('bundlePeriod', {
      aliases: ['period'],
      required: true,
      repeats: true,
      help: 'The period of the bundle, as your account manager named it; it is passed through.',
      example: 'monthly',
    }),
    column('provisioningTemplateId', {
      aliases: ['provisioning template', 'template'],
      required: true,
      repeats: true,
      help: 'The provisioning template: its id or one of its names.',
      example: '11',
    }),
    submissionNameColumn,
    referenceColumn,
  ],
  judgeShape: judgeOptions(chooseBundle),
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
  cells: Cells,
  { catalogue }: ImportContext,
  report: ShapeReport,
): Promise<Options<CreateBundleHead> | undefined> {
  const startDate = readStart(cells, report);
  const bundlePeriod = passedThrough(cells, 'bundlePeriod', report);
  const name = readSubmissionName(cells, report);
  const network = await chooseLookupNetwork(cells, catalogue, report);
  if (network === undefined) return undefined;
  const bundleSizeMb = await chooseBundleSize(cells, 'bundleSizeMb', network, catalogue, report);
  const provisioningTemplateId = await chooseTemplate(cells, network, catalogue, report);
  if (!startDate || !bundlePeriod || bundleSizeMb === undefined || provisioningTemplateId === undefined)
    return undefined;
  const { networkNumber } = network;
  return {
    head: { networkNumber, name, startDate, bundleSizeMb, bundlePeriod, provisioningTemplateId },
    label: `Bundle of ${bundleSizeMb} MB ${bundlePeriod} on ${network.name} from ${startDate.slice(0, 10)}`,
  };
}

function readStart(cells: Cells, report: ShapeReport): string | undefined {
  const text = requiredCell(cells, 'startDate', report);
  if (text === undefined) return undefined;
  const date = parseCalendarDate(text);
  if (date.ok) return toWireDate(date.value);
  report.add('startDate', date.finding);
  return undefined;
}

async function chooseTemplate(
  cells: Cells,
  network: LookupNetwork,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<number | undefined> {
  const text = requiredCell(cells, 'provisioningTemplateId', report);
  if (text === undefined) return undefined;
  const templates = await catalogue.provisioningTemplates(network.networkNumber);
  const friendly = templates.map(({ id, friendlyName }) => ({ number: id, name: friendlyName }));
  const technical = templates.map(({ id, templateName }) => ({ number: id, name: templateName }));
  const chosen = choose(text, friendly) ?? choose(text, technical);
  if (chosen === undefined) {
    const message = missed('provisioning template', text, `on ${network.name}`, friendly);
    report.add('provisioningTemplateId', error('TEMPLATE_UNKNOWN', message));
  }
  return chosen?.number;
}
