// CloudWatch alarms. Each has a name, a description of what happened, and a link to its section in the runbook.
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
import { stackName } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';

/** The period of alarms and graphs, where nothing is published less often. */
export const fiveMinutes = Duration.minutes(5);

export interface AlarmDefinition {
  /** Construct id and name of the alarm: `IngestDeadLetters` -> `simporter-prod-ingest-dead-letters`. */
  readonly id: string;
  /** Section of the runbook, where several alarms share one. @default - the alarm's name: `ingest-dead-letters` */
  readonly section?: string;
  /** What happened, and the consequence. */
  readonly meaning: string;
  readonly metric: IMetric;
  /**
   * How many of the last two periods must breach. One for events, because the count of an event is 0 again in the next
   * period, and for waits, which are above their limit only after that long. Two for levels, which may recover
   * without a person.
   */
  readonly breachingPeriods: 1 | 2;
  /** Breaches above this value. @default 0 */
  readonly above?: number;
  /** Breaches below this value instead, and where there is no data; in each of the periods. */
  readonly below?: number;
}

export class Alarms extends Construct {
  readonly all: IAlarm[] = [];
  private readonly configuration: Configuration;
  private readonly actions: readonly IAlarmAction[];

  constructor(scope: Construct, id: string, configuration: Configuration, actions: readonly IAlarmAction[]) {
    super(scope, id);
    this.configuration = configuration;
    this.actions = actions;
  }

  add({ id, section, meaning, metric, breachingPeriods, above = 0, below }: AlarmDefinition): void {
    const name = kebabCase(id);
    const alarm = new Alarm(this, id, {
      alarmName: `${stackName(this.configuration.stage)}-${name}`,
      alarmDescription: `${meaning} What to do: docs/guides/runbook.md#${section ?? name}`,
      metric,
      threshold: below ?? above,
      comparisonOperator:
        below === undefined ? ComparisonOperator.GREATER_THAN_THRESHOLD : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: below === undefined ? 2 : breachingPeriods,
      datapointsToAlarm: breachingPeriods,
      // An update does not change what a template leaves out, so this turns on what a person turned off.
      actionsEnabled: true,
      // Idle queues and functions publish no data.
      treatMissingData: below === undefined ? TreatMissingData.NOT_BREACHING : TreatMissingData.BREACHING,
    });
    alarm.addAlarmAction(...this.actions);
    alarm.addOkAction(...this.actions);
    this.all.push(alarm);
  }

  named(...ids: readonly string[]): IAlarm[] {
    return ids.map((id) => this.node.findChild(id) as Alarm);
  }
}

const kebabCase = (id: string): string => id.replace(/\B[A-Z]/g, '-$&').toLowerCase();
