// Runs an emulator together with the console and its API.
import { installation } from '#installation';
import { createFiles } from '#shared/store/files/files.ts';
import { openStores } from '#shared/store/open-stores.ts';
import type { CliContext } from '../context/cli-context.ts';
import { emulatorClients } from '../target/aws-target.ts';
import { type EmulatorInfo, type EmulatorRequest, withEmulator } from '../target/emulator.ts';
import type { Session } from '../target/target.ts';
import { createCalendarControl, keepChecking } from './calendar-control.ts';
import { createLocalApi } from './local-api.ts';
import { openConsoleServer } from './serve-console.ts';
import { createSimulatorControls } from './simulator-controls.ts';

/** Kept from start to start where it is free, so that an open page finds the next start. */
const usualTcpPort = 4_747;

export interface ConsoleRequest extends EmulatorRequest {
  /** Whether the calendar pauses while a person must act. */
  readonly pausesCalendar: boolean;
}

const watchedImports = 50;

/** As withEmulator; `endpoints.console` is the address to open, with its token. */
export async function withConsole<Result>(
  context: CliContext,
  { pausesCalendar, ...request }: ConsoleRequest,
  use: (session: Session, emulator: EmulatorInfo) => Promise<Result>,
): Promise<Result> {
  const server = await openConsoleServer({ preferredTcpPort: usualTcpPort });
  try {
    const folder = await installation.buildConsole();
    const allowedOrigins = [server.url, server.url.replace('127.0.0.1', 'localhost')];
    return await withEmulator(context, { ...request, allowedOrigins, sandbox: true }, async (session, emulator) => {
      const { endpoints, service, calendar } = emulator;
      const clients = emulatorClients(endpoints as Parameters<typeof emulatorClients>[0]);
      const { resources } = session.target;
      const { imports } = openStores(clients, resources);
      const control = createCalendarControl({
        ...{ calendar, automatic: pausesCalendar, report: (line) => context.terminal.note(line) },
        listImports: () => imports.list(resources.account, { limit: watchedImports }),
      });
      const controls = { service, inboxBucket: resources.inboxBucket, files: createFiles(clients.s3) };
      const simulator = resources.simulated ? createSimulatorControls({ ...controls, calendar: control }) : undefined;
      const lambdaEndpoint = endpoints.lambda ?? '';
      const api = createLocalApi({
        clients,
        lambdaEndpoint,
        resources,
        service,
        calendar: calendar.now,
        simulator,
      });
      server.serve({ api, folder, s3Endpoint: endpoints.s3 ?? '' });
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
