// simporter adopt PORT: follows a port that was made elsewhere, such as in the portal, as an import.

import type { ImportItem } from '#shared/import/import.ts';
import { mayBePortId } from '#shared/port/port.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { adoptionId } from '#shared/text/identity.ts';
import { CliError, usageError } from '../context/cli-error.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { awaitImport, importExitCode } from '../imports/follow-import.ts';
import { becauseOption, readActor } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { describeImport, toImportJson } from '../views/import-view.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument('<port>', 'the id of the port, as ports shows it')
    .option(...becauseOption)
    .action(
      onTarget<[string, { readonly because?: string }]>(async (session, text, { because }) => {
        const item = await adopt(session, text.trim().toLowerCase(), because);
        if (session.json) await printJson(session, toImportJson(item));
        else await show(session, item);
        return importExitCode(item);
      }),
    );

/** @throws CliError when the port cannot be adopted */
async function adopt(session: Session, portId: string, because: string | undefined): Promise<ImportItem> {
  const { imports, resources, command } = session.target;
  if (!mayBePortId(portId)) {
    throw usageError(
      'This is not the id of a port: it may be a number or a PAC.',
      `To see the ports: ${nextCommand('ports')}`,
    );
  }
  const importId = adoptionId(resources.account, portId);
  const before = await imports.get(importId);
  await command({ adopt: portId, ...readActor(session, because) });
  // An earlier command may have been declined.
  const isAnswer = ({ state, changedAt }: ImportItem) =>
    state !== 'planning' && (state !== 'rejected' || changedAt !== before?.changedAt);
  const item = await awaitImport(session, importId, isAnswer);
  if (item.state !== 'rejected') return item;
  throw new CliError(`Nothing was changed: ${item.issues.map(({ message }) => message).join('; ')}.`, {
    code: 'declined',
    advice: `To see the ports: ${nextCommand('ports')}`,
  });
}

async function show(session: Session, item: ImportItem): Promise<void> {
  await session.terminal.lines(describeImport(session, item, await readImportProgress(session.target, item)));
  session.terminal.note(`\nTo follow it: ${nextCommand('status', item.importId)}`);
}
