// Controls of the porting simulator, where simporter runs on one machine.
import * as z from 'zod';
import { instant } from '#shared/domain/schemas.ts';

export const calendar = z.object({
  now: instant,
  /** Calendar time divided by wall time; 0 while it is paused. */
  speed: z.number().nonnegative(),
  /** Whether it runs only while numbers are in progress and none requires action. */
  automatic: z.boolean(),
});
export const moveCalendarBody = z.union([
  z.strictObject({ days: z.int().min(1).max(366) }),
  z.strictObject({ speed: z.number().min(0).max(100_000) }),
  z.strictObject({ automatic: z.literal(true) }),
]);

export const faultPlan = z.object({ seed: z.int(), faults: z.array(z.looseObject({ endpoint: z.string() })) });

/** Files of the examples folder. */
export const exampleBody = z.object({ name: z.enum(['create-port.csv', 'provision.csv']) });
export const loadedExample = z.object({ importId: z.string() });
