// simporter sync: runs sync now instead of on its schedule.
import { readOutage } from '#shared/results/progress.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { printJson } from '../output/json.ts';
import { printSync, toSyncJson } from '../views/sync-view.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command.action(
    onTarget<[]>(async (session) => {
      const { target, json, terminal } = session;
      const answer = await target.sync();
      const sync = toSyncJson(answer, await readOutage(target));
      if (json) await printJson(session, sync);
      else printSync(sync, terminal);
      return sync.synced ? exitCodes.done : exitCodes.actionRequired;
    }),
  );
