// The digest: mail for some events. Rows are reported by port or request, at most one mail for a hundred rows: a file
// with many invalid PACs does not cause a mail for each row.
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { EventName } from '#shared/events/events.ts';
import type { PipelineEvents } from './event-bus.ts';
import { mailTopic } from './mail-topic.ts';

interface Mail {
  readonly event: EventName;
  /** @default - every event of this name */
  readonly detail?: Readonly<Record<string, readonly string[]>>;
  /** `<member>` is replaced by that member of the event's detail. */
  readonly text: readonly string[];
}

const mails: Readonly<Record<string, Mail>> = {
  MailFinishedImports: {
    event: 'ImportFinished',
    text: [
      'The import of <file> has finished. Rows: <rows>, of them <accepted> valid and <rejected> invalid.',
      '<skipped> valid rows were skipped. Requests by outcome: <requests>. Ports by status: <ports>.',
      'Rows that require action: <actionRequired>. Details: simporter results <importId>',
    ],
  },
  MailInvalidPacs: {
    event: 'PortStatusChanged',
    detail: { status: ['Pac Check Failed', 'PacCheckFailed'] },
    text: [
      'A port needs new PACs: request <request> of import <importId>.',
      'The rows, and the deadline: simporter port <portId>',
    ],
  },
  MailRequiredActions: {
    event: 'ActionRequired',
    detail: { scope: ['port', 'request'] },
    text: [
      'Action is required for <rows> rows of request <request> of import <importId>: <whatToDo>.',
      'Details: simporter actions',
    ],
  },
};

export interface DigestProps {
  readonly events: PipelineEvents;
  readonly key: IKey;
  readonly email: string;
}

export function addDigest(scope: Construct, { events, key, email }: DigestProps): void {
  const publisher = 'events.amazonaws.com';
  const topic = mailTopic(scope, 'DigestMail', { key, email, subject: 'Digest', publisher });
  for (const [id, { event, detail, text: sentences }] of Object.entries(mails)) {
    const text = sentences.join(' ');
    const members = [...text.matchAll(/<(\w+)>/g)].map(([, member = '']) => member);
    events.addRule(id, {
      description: `Mails ${event}`,
      pattern: { 'detail-type': [event], ...(detail && { detail }) },
      target: {
        id: 'Mail',
        arn: topic.topicArn,
        inputTransformer: {
          inputPathsMap: Object.fromEntries(members.map((member) => [member, `$.detail.${member}`])),
          // The template of a text is a JSON string.
          inputTemplate: JSON.stringify(text),
        },
      },
    });
  }
}
