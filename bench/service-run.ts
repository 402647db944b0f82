// One run of the service's figures: a new service with an empty store, filled, measured, and held against the floor.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serviceAnnouncement } from '#local/porting-service.ts';
import type { PortingNetworkType, TargetNetwork } from '#shared/porting/contract.ts';
import { type Call, type LoadResult, mustAll, runLoad } from './service-load.ts';

export interface Amounts {
  /** Ports in store when the measuring begins. */
  readonly ports: number;
  readonly rowsPerPort: number;
  readonly creates: number;
  readonly pages: number;
  /** Requests at a time. */
  readonly width: number;
}

/** Rates are per second, times in milliseconds, memory in MB; a ratio is the service's rate by the floor's. */
export interface Figures {
  readonly fillPortsPerSecond: number;
  readonly createPortsPerSecond: number;
  readonly createRowsPerSecond: number;
  readonly createP50: number;
  readonly createP95: number;
  readonly createRatio: number;
  readonly listPagesPerSecond: number;
  readonly listP50: number;
  readonly listP95: number;
  readonly listRatio: number;
  readonly memoryStarted: number;
  readonly memoryFilled: number;
  readonly memoryPeak: number;
}

const json = { 'content-type': 'application/json;charset=UTF-8' };

interface Program {
  readonly child: ChildProcess;
  readonly firstLine: string;
}

/** Starts a program of the repository and waits for its first line. */
async function start(path: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Program> {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (!Buffer.isBuffer(line)) throw new Error(`${path} ended before it was ready`);
  return { child, firstLine: line.toString() };
}

async function stop({ child }: Program): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Resident memory in MB: now, or at its most. */
function residentMb({ child }: Program, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024;
}

/** A working day well inside the target's window, as Create Port takes it. */
function dayFor({ minPortDays, maxPortDays, upcomingHolidays }: TargetNetwork, today: number): string {
  for (let days = minPortDays + 2; days < maxPortDays; days += 1) {
    const date = new Date(today + days * 86_400_000);
    const text = date.toISOString().slice(0, 10);
    const isHoliday = upcomingHolidays.some((holiday) => holiday.startsWith(text));
    if (date.getUTCDay() % 6 !== 0 && !isHoliday) return `${text}T00:00:00`;
  }
  throw new Error('The window of the target network has no working day.');
}

interface Desk {
  readonly base: string;
  readonly accountId: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Port number `index`, with lines of its own. */
  createCall(index: number): Call;
  listCall(page: number): Call;
}

/** Gets a token and the networks, and with them makes the calls. */
async function openDesk(announcement: string, { rowsPerPort }: Amounts, today: number): Promise<Desk> {
  const { baseUrl, authUrl, clients } = serviceAnnouncement.parse(JSON.parse(announcement));
  const [client] = clients;
  if (client === undefined) throw new Error('The service announced no client.');
  const { clientId: client_id, clientSecret: client_secret, accountId } = client;
  const form = new URLSearchParams({ client_id, client_secret, grant_type: 'client_credentials' });
  const granted = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: form });
  const { access_token } = (await granted.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const path = `/api/porting/${accountId}`;
  const types = (await (await fetch(`${baseUrl}${path}/networks`, { headers })).json()) as PortingNetworkType[];
  const target = types.find(({ portTypeName }) => portTypeName === 'Port')?.targetNetworks.find(({ id }) => id === 11);
  if (target === undefined) throw new Error('The catalogue has no target network 11 for Port.');
  const port = {
    targetNetworkId: target.id,
    sourceNetworkId: target.sourceNetworks[0]?.id,
    connectionDate: dayFor(target, today),
    portType: 'Port',
  };
  const rowAt = (place: number) => ({
    groupName: `Group ${place % 7}`,
    esim: false,
    msisdn: `07${String(400_000_000 + place)}`,
    serialNo: `894411${String(place).padStart(14, '0')}`,
    provisioningOrder: 5001,
    provisioningOrderName: null,
    pac: `ABC${String(place % 1_000_000).padStart(6, '0')}`,
    tariffId: 2001,
    boltOns: [101],
    services: [{ name: 'Voicemail', value: 'false' }],
  });
  return {
    base: baseUrl,
    accountId,
    headers,
    createCall: (index) => {
      const rows = Array.from({ length: rowsPerPort }, (_, row) => rowAt(index * rowsPerPort + row));
      return {
        method: 'POST',
        path,
        headers: { ...headers, ...json },
        body: JSON.stringify({ ...port, name: `Bench ${index}`, rows }),
      };
    },
    listCall: (page) => ({
      method: 'GET',
      path,
      headers: { ...headers, 'x-pagenumber': String(page), 'x-pagesize': '50' },
    }),
  };
}

/** The same bodies, parsed and sent back by a server that does nothing else. */
async function floorOf(bodies: readonly string[], width: number): Promise<LoadResult> {
  const echo = await start('bench/service-echo.ts', [], process.env);
  try {
    const calls = bodies.map((body): Call => ({ method: 'POST', path: '/', headers: json, body }));
    // Warm, as the service is by the time it is measured.
    await runLoad(echo.firstLine.trim(), calls, width);
    return await runLoad(echo.firstLine.trim(), calls, width);
  } finally {
    await stop(echo);
  }
}

/**
 * @param args what the service is started with beyond its defaults, such as `--store dynamodb`
 * @throws Error where a request is not answered as it must be
 */
export async function runOnce(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  amounts: Amounts,
  today: number,
): Promise<Figures> {
  const { ports, rowsPerPort, creates, pages, width } = amounts;
  const service = await start('functions/porting-service/main.ts', ['--json', '--port', '0', ...args], environment);
  try {
    const desk = await openDesk(service.firstLine, amounts, today);
    const memoryStarted = residentMb(service, 'VmRSS');
    const createCalls = Array.from({ length: ports + creates }, (_, index) => desk.createCall(index));
    const fill = await runLoad(desk.base, createCalls.slice(0, ports), width);
    mustAll(fill, 201, 'Create Port');
    const memoryFilled = residentMb(service, 'VmRSS');
    const create = await runLoad(desk.base, createCalls.slice(ports), width);
    mustAll(create, 201, 'Create Port');
    const fullPages = Math.max(1, Math.floor(ports / 50));
    // A step that shares no factor with the number of pages visits all of them, and no two neighbours in a row.
    const listCalls = Array.from({ length: pages }, (_, index) => desk.listCall(1 + ((index * 7) % fullPages)));
    const list = await runLoad(desk.base, listCalls, width);
    mustAll(list, 200, 'List Ports');
    const memoryPeak = residentMb(service, 'VmHWM');
    const createFloor = await floorOf(
      createCalls.slice(ports).map(({ body = '' }) => body),
      width,
    );
    const listFloor = await floorOf(
      list.answers.map(({ text }) => text),
      width,
    );
    return {
      fillPortsPerSecond: fill.perSecond,
      createPortsPerSecond: create.perSecond,
      createRowsPerSecond: create.perSecond * rowsPerPort,
      createP50: create.p50,
      createP95: create.p95,
      createRatio: create.perSecond / createFloor.perSecond,
      listPagesPerSecond: list.perSecond,
      listP50: list.p50,
      listP95: list.p95,
      listRatio: list.perSecond / listFloor.perSecond,
      ...{ memoryStarted, memoryFilled, memoryPeak },
    };
  } finally {
    await stop(service);
  }
}
