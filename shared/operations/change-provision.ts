// Change Provision: tariff, bolt-ons and provisioning order of SIMs on hire are changed, for example after a port.
import type { Operation } from './operation.ts';
import { provisionSubmission } from './provision-call.ts';
import { chooseProvision, provisionColumns } from './provision-options.ts';
import { judgeProvisionRow } from './provision-row.ts';
import { judgeOptions } from './ticket.ts';

export const changeProvision: Operation = {
  name: 'change-provision',
  columns: provisionColumns,
  judgeShape: judgeOptions(chooseProvision({ verb: 'Change Provision', needsOrder: true }), judgeProvisionRow),
  submission: provisionSubmission('/api/simSubmission/ChangeProvision'),
};
