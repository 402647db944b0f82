// Controls of the porting simulator, only where simporter runs on one machine.
import * as z from 'zod';
import { instant } from '#shared/text/stored-values.ts';
import { endpoint } from './http/endpoint.ts';

const calendar = z.object({
  now: instant,
  /** Calendar time divided by wall time; 0 while it is paused. */
  speed: z.number().nonnegative(),
  /** Whether it runs only while numbers are in progress and none requires action. */
  automatic: z.boolean(),
});
export type ShownCalendar = z.output<typeof calendar>;

const calendarChange = z.union([
  z.strictObject({ days: z.int().min(1).max(366) }),
  z.strictObject({ speed: z.number().min(0).max(100_000) }),
  z.strictObject({ automatic: z.literal(true) }),
]);
export type CalendarChange = z.output<typeof calendarChange>;

export const faultPlan = z.object({ seed: z.int(), faults: z.array(z.looseObject({ endpoint: z.string() })) });
type FaultPlan = z.output<typeof faultPlan>;

/** Files of the examples folder. */
const exampleBody = z.strictObject({ name: z.enum(['create-port.csv', 'provision.csv']) });

export interface SimulatorControls {
  readonly calendar: {
    readonly show: () => ShownCalendar;
    readonly move: (wanted: CalendarChange) => Promise<ShownCalendar>;
  };
  readonly getFaults: () => Promise<FaultPlan>;
  readonly setFaults: (plan: FaultPlan) => Promise<FaultPlan>;
  /** @returns the id of the import */
  readonly loadExample: (name: string, writeId: string) => Promise<string>;
}

const getCalendar = endpoint(
  {
    at: 'GET /simulator/calendar',
    role: 'operator',
    summary: 'The calendar of the simulator',
    accepts: {},
    answer: calendar,
  },
  async (_call, controls: SimulatorControls) => controls.calendar.show(),
);

const moveCalendar = endpoint(
  {
    at: 'POST /simulator/calendar',
    role: 'operator',
    summary: 'Advance the calendar of the simulator',
    accepts: { body: calendarChange },
    answer: calendar,
    problems: ['state-changed'],
  },
  async ({ body }, controls: SimulatorControls) => controls.calendar.move(body),
);

const getFaults = endpoint(
  {
    at: 'GET /simulator/faults',
    role: 'operator',
    summary: 'The faults of the simulator',
    accepts: {},
    answer: faultPlan,
  },
  async (_call, controls: SimulatorControls) => controls.getFaults(),
);

const setFaults = endpoint(
  {
    at: 'PUT /simulator/faults',
    role: 'operator',
    summary: 'Replace the faults of the simulator',
    accepts: { body: faultPlan.strict() },
    answer: faultPlan,
  },
  async ({ body }, controls: SimulatorControls) => controls.setFaults(body),
);

const loadExample = endpoint(
  {
    at: 'POST /simulator/example',
    role: 'operator',
    summary: 'Import an example file',
    accepts: { body: exampleBody },
    status: 202,
    answer: z.object({ importId: z.string() }),
  },
  async ({ body, writeId }, controls: SimulatorControls) => ({
    importId: await controls.loadExample(body.name, writeId),
  }),
);

export const simulatorEndpoints = { getCalendar, moveCalendar, getFaults, setFaults, loadExample };
