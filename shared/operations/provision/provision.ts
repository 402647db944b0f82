// Provision puts SIMs of the stock on hire with a tariff. Change Provision changes tariff, bolt-ons and provisioning
// order of SIMs on hire, for example after a port.
import type { Operation } from '../kit/operation.ts';
import { checkOptions } from '../kit/ticket-submission.ts';
import { provisionSubmission } from './call.ts';
import { chooseProvision, provisionColumns } from './options.ts';
import { checkProvisionRow } from './row.ts';

export const provision: Operation = {
  name: 'provision',
  columns: provisionColumns,
  checkShape: checkOptions(chooseProvision({ verb: 'Provision', needsOrder: false }), checkProvisionRow),
  submission: provisionSubmission('/api/simSubmission/Provision'),
};

export const changeProvision: Operation = {
  name: 'change-provision',
  columns: provisionColumns,
  checkShape: checkOptions(chooseProvision({ verb: 'Change Provision', needsOrder: true }), checkProvisionRow),
  submission: provisionSubmission('/api/simSubmission/ChangeProvision'),
};
