// Bar Service Config: sets services and bars of SIMs, one request for each set of settings (spec gap 24).
import * as z from 'zod/mini';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { checkOptions, type Options, serialNumbersOf, ticketSubmission } from '#shared/operations/columns/sim-row.ts';
import { readServiceSettings, servicesColumn } from '#shared/operations/columns/tariff-and-services.ts';
import type { ImportContext, Operation } from '#shared/operations/operation.ts';
import { serviceSetting } from '#shared/service/contract.ts';
import { checkCandidates } from '../kit/candidates.ts';
import { referenceColumn, repeatingColumn } from '../kit/column.ts';
import { chooseLookupNetworks, networkColumn } from '../kit/lookup-network.ts';
import { serialNumberColumn } from '../kit/sim-row.ts';
import { chooseTariffs } from '../kit/tariff-choice.ts';

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
    repeatingColumn('tariffNumber', {
      aliases: ['tariff', 'tariff id', 'tariff name'],
      help: 'The tariff of the SIM, if the services depend on it: its number or its exact name.',
      example: '2001',
    }),
    { ...servicesColumn, required: true },
    referenceColumn,
  ],
  checkShape: checkOptions(chooseSettings),
  submission: ticketSubmission({
    path: '/api/simSubmission/BarServiceConfig',
    head: barServiceConfigHead,
    requestedServices: (head) => head,
    bodyOf: ({ services }, request) => ({ serialNumbers: serialNumbersOf(request), services }),
  }),
};

async function chooseSettings(
  cells: CellReader,
  { catalogue }: ImportContext,
): Promise<Options<BarServiceConfigHead> | undefined> {
  const hasServices = cells.required('services') !== undefined;
  const networks = await chooseLookupNetworks(catalogue, cells);
  const chosen = await checkCandidates(networks, cells, async (network, on) => {
    const tariffs =
      on.text('tariffNumber') === '' ? [undefined] : await chooseTariffs('tariffNumber', network, catalogue, on);
    const services = await checkCandidates(tariffs, on, async (tariff, of) =>
      hasServices ? readServiceSettings(await catalogue.services(network.networkNumber, tariff?.number), of) : [],
    );
    return { network, services: services ?? [] };
  });
  const [first] = chosen?.services ?? [];
  if (chosen === undefined || first === undefined) {
    if (hasServices && !cells.hasErrors)
      cells.error('services', 'CELL_REQUIRED', 'services must set at least one service');
    return undefined;
  }
  const { network, services } = chosen;
  const more = services.length > 1 ? ` and ${services.length - 1} more` : '';
  return {
    head: { networkNumber: network.networkNumber, services },
    label: `Set ${first.name}${more} on ${network.name}`,
  };
}
