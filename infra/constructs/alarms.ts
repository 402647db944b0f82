// Alarms: each has a name, says what it means to the person who is woken, and where the runbook goes on.
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IAlarm,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { StageConfiguration } from '../config.ts';

/** A period of every alarm and graph. */
export const fiveMinutes = Duration.minutes(5);

export interface Concern {
  /** Construct id and name of the alarm: `IngestDeadLetters` -> `simporter-prod-ingest-dead-letters`. */
  readonly id: string;
  /** Section of the runbook, where several alarms share one. @default - the alarm's name: `ingest-dead-letters` */
  readonly section?: string;
  /** What is the matter, and the first thing to look at. */
  readonly meaning: string;
  readonly metric: IMetric;
  /**
   * An event that is counted once is over in the next period, so one bad period of two is enough; a level must stay bad for
   * both, so that nobody is woken for what mends itself.
   */
  readonly kind: 'event' | 'level';
  /** Breached above it. @default 0 */
  readonly above?: number;
  /** Breached below it, instead; silence is then a breach too. */
  readonly below?: number;
}

export class Alarms extends Construct {
  readonly raised: IAlarm[] = [];
  private readonly stage: string;
  private readonly enabled: boolean;
  private readonly action: IAlarmAction | undefined;

  constructor(scope: Construct, id: string, configuration: StageConfiguration, action?: IAlarmAction) {
    super(scope, id);
    this.stage = configuration.stage;
    this.enabled = configuration.watch.alarms;
    this.action = action;
  }

  raise({ id, section, meaning, metric, kind, above = 0, below }: Concern): void {
    const name = dashed(id);
    const alarm = new Alarm(this, id, {
      alarmName: `simporter-${this.stage}-${name}`,
      alarmDescription: `${meaning} What to do: docs/runbook.md#${section ?? name}`,
      metric,
      threshold: below ?? above,
      comparisonOperator:
        below === undefined ? ComparisonOperator.GREATER_THAN_THRESHOLD : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 2,
      datapointsToAlarm: kind === 'event' ? 1 : 2,
      // Queues that nobody touches and functions that have nothing to do send no figures.
      treatMissingData: below === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
      actionsEnabled: this.enabled,
    });
    if (this.action !== undefined) {
      alarm.addAlarmAction(this.action);
      alarm.addOkAction(this.action);
    }
    this.raised.push(alarm);
  }
}

/** `IngestDeadLetters` -> `ingest-dead-letters` */
const dashed = (id: string): string => id.replace(/\B[A-Z]/g, '-$&').toLowerCase();
