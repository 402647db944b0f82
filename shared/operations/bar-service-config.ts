// Bar Service Config: services and bars of SIMs are set, one request per set of settings (decision 24).
import * as z from 'zod/mini';
import { error } from '#shared/domain/issue.ts';
import { serviceSetting } from '#shared/porting/contract.ts';
import { column, referenceColumn } from './column.ts';
import { chooseLookupNetwork, networkColumn } from './lookup-network.ts';
import type { Cells, ImportContext, Operation } from './operation.ts';
import { readServiceSettings } from './service-settings.ts';
import { requiredCell, type ShapeReport } from './shape-report.ts';
import { serialNumberColumn } from './sim-row.ts';
import { chooseTariff } from './tariff-choice.ts';
import { judgeOptions, type Options, serialNumbersOf, ticketSubmission } from './ticket.ts';

const barServiceConfigHead = z.object({
  networkNumber: z.int(),
  services: z.array(serviceSetting).check(z.minLength(1)),
});
type BarServiceConfigHead = z.infer<typeof barServiceConfigHead>;

export const barServiceConfig: Operation = {
  name: 'bar-service-config',
  columns: [
    serialNumberColumn,
    networkColumn,
    column('tariffNumber', {
      aliases: ['tariff', 'tariff id', 'tariff name'],
      repeats: true,
      help: 'The tariff of the SIM, where it decides which services there are: its number or its exact name.',
      example: '2001',
    }),
    column('services', {
      aliases: ['service', 'services and bars', 'bars'],
      required: true,
      repeats: true,
      help: 'Services on or off, bars block or allow, separated by semicolons.',
      example: 'Roaming=on;Premium Rate Calls=block',
    }),
    referenceColumn,
  ],
  judgeShape: judgeOptions(chooseSettings),
  submission: ticketSubmission({
    path: '/api/simSubmission/BarServiceConfig',
    head: barServiceConfigHead,
    bodyOf: ({ services }, request) => ({ serialNumbers: serialNumbersOf(request), services }),
  }),
};

async function chooseSettings(
  cells: Cells,
  { catalogue }: ImportContext,
  report: ShapeReport,
): Promise<Options<BarServiceConfigHead> | undefined> {
  const text = requiredCell(cells, 'services', report);
  const network = await chooseLookupNetwork(cells, catalogue, report);
  if (network === undefined) return undefined;
  const hasTariff = cells('tariffNumber') !== '';
  const tariff = hasTariff ? await chooseTariff(cells, network, catalogue, report, 'tariffNumber') : undefined;
  if (text === undefined || (hasTariff && tariff === undefined)) return undefined;
  const offered = await catalogue.services(network.networkNumber, tariff?.number);
  const services = readServiceSettings(text, offered, report);
  const [first] = services;
  if (first === undefined) {
    if (!report.broken) report.add('services', error('CELL_REQUIRED', 'services sets nothing'));
    return undefined;
  }
  const more = services.length > 1 ? ` and ${services.length - 1} more` : '';
  return {
    head: { networkNumber: network.networkNumber, services },
    label: `Set ${first.name}${more} on ${network.name}`,
  };
}
