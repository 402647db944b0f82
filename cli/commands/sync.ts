// simporter sync: runs sync now instead of on its schedule.
import { readOutage } from '#shared/read-models/outage.ts';
import type { ConfigureCommand } from '../context/command.ts';
import { exitCodes } from '../context/exit-code.ts';
import { printJson } from '../output/json.ts';
import { withTarget } from '../target/with-target.ts';
import { printSync, toSyncJson } from '../views/sync-view.ts';

export const configure: ConfigureCommand = (command, run) =>
  command.action(
    run<[]>((context) =>
      withTarget(context, async (session) => {
        const { target, json, terminal } = session;
        const answer = await target.sync();
        const sync = toSyncJson(answer, await readOutage(target));
        if (json) await printJson(session, sync);
        else printSync(sync, terminal);
        return sync.synced ? exitCodes.done : exitCodes.actionRequired;
      }),
    ),
  );
