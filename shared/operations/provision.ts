// Provision: SIMs of the stock are put on hire with a tariff.
import type { Operation } from './operation.ts';
import { provisionSubmission } from './provision-call.ts';
import { chooseProvision, provisionColumns } from './provision-options.ts';
import { judgeProvisionRow } from './provision-row.ts';
import { judgeOptions } from './ticket.ts';

export const provision: Operation = {
  name: 'provision',
  columns: provisionColumns,
  judgeShape: judgeOptions(chooseProvision({ verb: 'Provision', needsOrder: false }), judgeProvisionRow),
  submission: provisionSubmission('/api/simSubmission/Provision'),
};
