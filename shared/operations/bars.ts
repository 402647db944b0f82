// The operations bar, unbar and bar-service-config.
import * as z from 'zod/mini';
import { warning } from '#shared/row/issue.ts';
import { type BarFlag, barFlags, serviceSetting } from '#shared/service/contract.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { type CellReader, yesNo } from './columns/cell-reader.ts';
import { checkCandidates } from './columns/named-items.ts';
import {
  checkOptions,
  chooseLookupNetworks,
  networkColumn,
  type Options,
  serialNumberColumn,
  serialNumbersOf,
  ticketSubmission,
} from './columns/sim-row.ts';
import { chooseTariffs, readServiceSettings, servicesColumn } from './columns/tariff-and-services.ts';
import { type ImportContext, type Operation, referenceColumn, repeatingColumn } from './operation.ts';

// Bar Service Config: sets services and bars of SIMs, one request for each set of settings (spec gap 24).

const barServiceConfigHead = z.object({
  networkNumber: z.int(),
  services: z.array(serviceSetting).check(z.minLength(1)),
});
type BarServiceConfigHead = z.infer<typeof barServiceConfigHead>;

export const barServiceConfig: Operation = {
  name: 'bar-service-config',
  purpose: 'set services and bars of SIMs',
  columns: [
    serialNumberColumn,
    networkColumn,
    repeatingColumn('tariffNumber', {
      aliases: ['tariff', 'tariff id', 'tariff name'],
      namesItems: true,
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

// Bar and Unbar, the legacy calls that block what a SIM may do. The service will remove them (spec, Versioning), so
// every row gets a warning that names the replacement (spec gap 41).

const flagsHead = z.partialRecord(z.enum(barFlags), z.boolean());
type FlagsHead = z.infer<typeof flagsHead>;

const flagMeanings: Readonly<Record<BarFlag, string>> = {
  admin: 'everything, by the administrator',
  gprs: 'data',
  gprsRoaming: 'data abroad',
  international: 'international calls',
  outgoing: 'outgoing calls',
  mms: 'picture messages',
  premium: 'premium rate calls',
  smsIncoming: 'incoming texts',
  smsOutgoing: 'outgoing texts',
  smsPremium: 'premium rate texts',
  voiceRoaming: 'calls abroad',
};

/** Other names that people give to a column of a flag. */
const flagNames: Readonly<Record<BarFlag, readonly string[]>> = {
  admin: ['all', 'everything', 'administrative'],
  gprs: ['data', 'mobile data', 'internet'],
  gprsRoaming: ['data roaming', 'roaming data', 'data abroad', 'roaming'],
  international: ['calls abroad'],
  outgoing: ['call', 'voice', 'voice call'],
  mms: ['picture message'],
  premium: ['premium rate'],
  smsIncoming: ['incoming sms', 'incoming text', 'incoming text message'],
  smsOutgoing: ['outgoing sms', 'outgoing text', 'outgoing text message', 'sms', 'text'],
  smsPremium: ['premium sms', 'premium text', 'premium rate text'],
  voiceRoaming: ['roaming call', 'call roaming', 'voice abroad', 'roaming'],
};

/** The operation sets `type` on both levels of the body; no column can set it (spec gap 39). */
const barOperation = (name: OperationName & ('bar' | 'unbar'), verb: string): Operation => ({
  name,
  purpose: `${name === 'bar' ? 'set' : 'remove'} legacy bars of SIMs`,
  columns: [
    serialNumberColumn,
    ...barFlags.map((flag) =>
      repeatingColumn(flag, {
        ...yesNo,
        mayBeNamed: flagNames[flag],
        onlyServiceChecks: true,
        help: `Whether to ${name} ${flagMeanings[flag]}. Empty and no mean the same: it is not in the call.`,
        example: 'true',
      }),
    ),
    referenceColumn,
  ],
  checkShape: checkOptions(async (cells) => chooseFlags(verb, cells)),
  submission: ticketSubmission({
    path: '/api/simSubmission',
    head: flagsHead,
    bodyOf: (flags, request) => ({
      type: name,
      commands: [
        { serialNumbers: serialNumbersOf(request), commandOptions: { type: `vendor-detailed-${name}`, ...flags } },
      ],
    }),
  }),
});

export const bar = barOperation('bar', 'Bar');
export const unbar = barOperation('unbar', 'Unbar');

function chooseFlags(verb: string, cells: CellReader): Options<FlagsHead> | undefined {
  // The call has only what it is to do (spec gap 41): what the service makes of `false` is not described.
  const chosen = barFlags.map((flag) => cells.boolean(flag) === true && flag).filter((flag) => flag !== false);
  // A flag that cannot be read is reported already.
  if (chosen.length === 0) {
    if (cells.hasErrors) return undefined;
    const message = `The row sets nothing to ${verb.toLowerCase()}. Write true for one of ${barFlags.join(', ')}`;
    return cells.error(null, 'BAR_NONE_CHOSEN', message);
  }
  const message = `${verb} is a legacy call that the service will remove. Use bar-service-config instead`;
  cells.report(null, warning('OPERATION_LEGACY', message));
  return {
    head: Object.fromEntries(chosen.map((flag) => [flag, true])) as FlagsHead,
    label: `${verb} ${chosen.join(', ')}`,
  };
}
