// Digest: a few events as mail that a person can read. Rows are told by the port that stops for them, at most one mail for a
// hundred of them: one for each would bury the reader on the day on which a whole file has bad codes.
import { CfnRule, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { EventName } from '#shared/events/events.ts';
import { eventSource, type StageConfiguration } from '../config.ts';
import { mailTopic } from './mail-topic.ts';

interface Mail {
  readonly event: EventName;
  /** @default - every event of this name */
  readonly detail?: Readonly<Record<string, readonly string[]>>;
  /** Members of the detail that the text shows. */
  readonly members: readonly string[];
  /** `<member>` stands for its value. */
  readonly text: string;
}

const mails: Readonly<Record<string, Mail>> = {
  Completed: {
    event: 'ImportCompleted',
    members: ['file', 'importId', 'rows', 'accepted', 'rejected', 'withdrawn', 'requests', 'ports', 'attention'],
    text: 'All requests of <file> have ended: <rows> rows, of them <accepted> good, <rejected> rejected; of the good ones <withdrawn> withdrawn before they were sent. Requests by how they ended: <requests>; the rows of a refused or withdrawn one are not on their way. Ports: <ports>. Rows that need somebody: <attention>. More: simporter results <importId>',
  },
  PacCheckFailed: {
    event: 'PortStatusChanged',
    detail: { status: ['Pac Check Failed', 'PacCheckFailed'] },
    members: ['importId', 'request', 'portId'],
    text: 'A port waits for new PACs: request <request> of the import <importId>. Which lines, and until when: simporter port <portId>',
  },
  Attention: {
    event: 'RowNeedsAttention',
    detail: { scope: ['port', 'request'] },
    members: ['importId', 'request', 'rows', 'whatToDo'],
    text: '<rows> rows of request <request> of the import <importId> need somebody: <whatToDo>. More: simporter attention',
  },
};

export interface DigestProps {
  readonly configuration: StageConfiguration;
  readonly key: IKey;
  readonly bus: IEventBus;
  readonly email: string;
}

export class Digest extends Construct {
  constructor(scope: Construct, id: string, { configuration, key, bus, email }: DigestProps) {
    super(scope, id);
    const topic = mailTopic(this, 'DigestMail', { key, email, subject: 'Digest', sender: 'events.amazonaws.com' });
    for (const [name, { event, detail, members, text }] of Object.entries(mails)) {
      new CfnRule(this, name, {
        description: `Mails ${event}`,
        eventBusName: bus.eventBusName,
        eventPattern: { source: [eventSource(configuration)], 'detail-type': [event], ...(detail && { detail }) },
        targets: [
          {
            id: 'Mail',
            arn: topic.topicArn,
            inputTransformer: {
              inputPathsMap: Object.fromEntries(members.map((member) => [member, `$.detail.${member}`])),
              // A template of text is a JSON string.
              inputTemplate: JSON.stringify(text),
            },
          },
        ],
      });
    }
  }
}
