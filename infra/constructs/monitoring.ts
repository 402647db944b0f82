// Monitoring: alarms, the dashboard, and the saved log queries.
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Configuration } from '../settings.ts';
import { alarmDefinitions } from './alarm-definitions.ts';
import { Alarms } from './alarms.ts';
import { createDashboard } from './dashboard.ts';
import { pipelineQueries, saveLogQueries } from './log-queries.ts';
import { mailTopic } from './mail-topic.ts';
import { PipelineMetrics } from './metrics.ts';
import type { MonitoringSources } from './monitoring-sources.ts';

export interface MonitoringProps extends Omit<MonitoringSources, 'metrics'> {
  readonly key: IKey;
}

export class Monitoring extends Construct {
  readonly alarms: Alarms;
  /** What an alarm does: nothing where alarms notify nobody. */
  readonly actions: readonly IAlarmAction[];

  constructor(scope: Construct, id: string, { key, ...props }: MonitoringProps) {
    super(scope, id);
    const { configuration, functions } = props;
    this.actions = this.alarmTopics(configuration, key).map((topic) => new SnsAction(topic));
    this.alarms = new Alarms(this, 'Alarms', configuration, this.actions);
    const sources = { ...props, metrics: new PipelineMetrics(configuration) };
    for (const definition of alarmDefinitions(sources)) this.alarms.add(definition);
    createDashboard(this, { ...sources, alarms: this.alarms.all });
    saveLogQueries(this, configuration, Object.values(functions), pipelineQueries);
  }

  private alarmTopics({ alarms: { email, topicArn } }: Configuration, key: IKey): ITopic[] {
    const mail = { key, subject: 'Alarms', publisher: 'cloudwatch.amazonaws.com' } as const;
    return [
      ...(topicArn === undefined ? [] : [Topic.fromTopicArn(this, 'AlarmTopic', topicArn)]),
      ...(email === undefined ? [] : [mailTopic(this, 'AlarmMail', { ...mail, email })]),
    ];
  }
}
