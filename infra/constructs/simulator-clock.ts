// A schedule that advances the calendar of the porting simulator, so that a port that takes days takes hours. It is
// disabled by default: the pipeline on AWS books days by the real calendar.
import type { Construct } from 'constructs';
import type { PipelineFunction } from './pipeline-function.ts';
import { Schedule } from './schedule.ts';

export interface SimulatorClockProps {
  readonly service: PipelineFunction;
  readonly everyMinutes: number;
  /** How far each run advances the calendar. 0 disables the schedule. */
  readonly advanceMinutes: number;
}

export class SimulatorClock extends Schedule {
  constructor(scope: Construct, id: string, { service, everyMinutes, advanceMinutes }: SimulatorClockProps) {
    super(scope, id, {
      target: service,
      description: 'Advances the calendar of the porting simulator',
      everyMinutes,
      deadLetters: 'ClockMissedRuns',
      // A repeated run would advance the calendar twice.
      startRetries: 0,
      input: JSON.stringify({ advanceMs: advanceMinutes * 60_000 }),
      state: advanceMinutes > 0 ? 'ENABLED' : 'DISABLED',
    });
  }
}
