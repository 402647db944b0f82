// Runs an emulator together with the console and its API.
import { installation } from '#installation';
import { openStores } from '#shared/store/account.ts';
import type { CliContext } from '../context/cli-context.ts';
import { emulatorClients } from '../target/aws-target.ts';
import { type EmulatorInfo, type EmulatorRequest, runEmulator } from '../target/emulator.ts';
import type { Session } from '../target/target.ts';
import { createCalendarControl, keepChecking } from './calendar-control.ts';
import { keptToken, openConsoleServer } from './serve-console.ts';
import { createSimulatorApi } from './simulator-controls.ts';

/** Kept from start to start where it is free, so that an open page finds the next start. */
const usualTcpPort = 4_747;

export interface ConsoleRequest extends EmulatorRequest {
  readonly directory: string;
  /** Whether the calendar pauses while a person must act. */
  readonly pausesCalendar: boolean;
}

/** As runEmulator; `endpoints.console` is the address to open, with its token. */
export async function runEmulatorWithConsole<Result>(
  context: CliContext,
  { pausesCalendar, ...request }: ConsoleRequest,
  use: (session: Session, emulator: EmulatorInfo) => Promise<Result>,
): Promise<Result> {
  const token = await keptToken(request.directory);
  const server = await openConsoleServer({ preferredTcpPort: usualTcpPort, token });
  try {
    const folder = await installation.buildConsole();
    const allowedOrigins = [server.url, server.url.replace('127.0.0.1', 'localhost')];
    const options = { ...request, allowedOrigins, readClaims: server.readClaims, sandbox: true };
    return await runEmulator(context, options, async (session, emulator) => {
      const { endpoints, apiEndpoint, service, calendar } = emulator;
      const clients = emulatorClients(emulator as Parameters<typeof emulatorClients>[0]);
      const { resources } = session.target;
      const { imports } = openStores(clients, resources);
      const control = createCalendarControl({
        calendar,
        automatic: pausesCalendar,
        report: (line) => context.terminal.note(line),
        imports,
        account: resources.account,
      });
      const controls = { service, calendar: control, clients, resources };
      const simulator = resources.simulated ? createSimulatorApi(controls) : undefined;
      server.serve({ apiEndpoint, simulator, folder, s3Endpoint: endpoints.s3 ?? '' });
      const stopping = new AbortController();
      const checking = keepChecking(control, stopping.signal);
      try {
        return await use(session, { ...emulator, endpoints: { ...endpoints, console: server.address } });
      } finally {
        stopping.abort();
        await checking;
      }
    });
  } finally {
    await server.close();
  }
}
