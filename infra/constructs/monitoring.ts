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
  /** What an alarm does; undefined where alarms notify nobody. */
  readonly action: IAlarmAction | undefined;

  constructor(scope: Construct, id: string, { key, ...props }: MonitoringProps) {
    super(scope, id);
    const { configuration, functions } = props;
    const topic = this.alarmTopic(configuration, key);
    this.action = topic && new SnsAction(topic);
    this.alarms = new Alarms(this, 'Alarms', configuration, this.action);
    const sources = { ...props, metrics: new PipelineMetrics(configuration) };
    for (const definition of alarmDefinitions(sources)) this.alarms.add(definition);
    createDashboard(this, { ...sources, alarms: this.alarms.all });
    saveLogQueries(this, configuration, Object.values(functions), pipelineQueries);
  }

  private alarmTopic({ alarms: { email, topicArn } }: Configuration, key: IKey): ITopic | undefined {
    if (topicArn !== undefined) return Topic.fromTopicArn(this, 'AlarmTopic', topicArn);
    if (email === undefined) return undefined;
    return mailTopic(this, 'AlarmMail', { key, email, subject: 'Alarms', publisher: 'cloudwatch.amazonaws.com' });
  }
}
