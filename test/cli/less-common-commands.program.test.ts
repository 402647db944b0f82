// Commands that people need less often, each against its own imports of one running emulator.
import { useCommonEmulator } from '../support/cli/shared-emulator.ts';
import { testMismatches } from './commands/mismatches.ts';
import { testReschedule } from './commands/reschedule.ts';
import { testResolve } from './commands/resolve.ts';
import { testSimServices } from './commands/sim-services.ts';
import { testStop } from './commands/stop.ts';
import { testTemplates } from './commands/template.ts';
import { testUpkeep } from './commands/upkeep-commands.ts';

useCommonEmulator(43_200, { sandbox: true });

testTemplates();
testSimServices();
testUpkeep();
// It expects that nothing else requires an action.
testMismatches();
testResolve();
testReschedule();
// It sends everything slowly from now on.
testStop();
