// ObjectCreated notifications as S3 sends them, and the s3:TestEvent for a new configuration.
import { createHash } from 'node:crypto';
import { receiveText } from './body.ts';
import { notImplemented } from './errors.ts';
import { type ObjectCreated, requireBucket } from './objects.ts';
import { type S3Request, sendEmpty } from './request.ts';
import type { ObjectStore, StoredObject } from './store.ts';
import { elements, elementText } from './xml.ts';

/** Sends a message to the queue of this ARN; resolves when it is stored. */
export type DeliverToQueue = (queueArn: string, body: string) => Promise<void>;

interface Rule {
  readonly id: string;
  readonly queueArn: string;
  readonly events: readonly string[];
  readonly prefix: string;
  readonly suffix: string;
}

const parseRules = (xml: string): Rule[] => {
  for (const target of ['TopicConfiguration', 'CloudFunctionConfiguration', 'EventBridgeConfiguration']) {
    if (elements(xml, target).length > 0) throw notImplemented(target);
  }
  return elements(xml, 'QueueConfiguration').map((rule) => {
    const filter = (name: string): string => {
      const found = elements(rule, 'FilterRule').find((one) => elementText(one, 'Name')?.toLowerCase() === name);
      return found === undefined ? '' : (elementText(found, 'Value') ?? '');
    };
    return {
      id: elementText(rule, 'Id') ?? createHash('sha256').update(rule).digest('base64url').slice(0, 24),
      queueArn: elementText(rule, 'Queue') ?? '',
      events: elements(rule, 'Event'),
      prefix: filter('prefix'),
      suffix: filter('suffix'),
    };
  });
};

/** Keys in events are URL-encoded as forms are: a space becomes `+`, slashes stay. */
const encodeKey = (key: string): string =>
  encodeURIComponent(key)
    .replaceAll('%20', '+')
    .replaceAll('%2F', '/')
    .replace(/[!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const eventRecord = (object: StoredObject, eventName: string, rule: Rule, region: string) => ({
  eventVersion: '2.1',
  eventSource: 'aws:s3',
  awsRegion: region,
  eventTime: new Date(object.modifiedAt).toISOString(),
  eventName,
  userIdentity: { principalId: 'AWS:LOCAL' },
  requestParameters: { sourceIPAddress: '127.0.0.1' },
  responseElements: {
    'x-amz-request-id': object.sequence.toString(16).toUpperCase().padStart(16, '0'),
    'x-amz-id-2': 'local',
  },
  s3: {
    s3SchemaVersion: '1.0',
    configurationId: rule.id,
    bucket: { name: object.bucket, ownerIdentity: { principalId: 'LOCAL' }, arn: `arn:aws:s3:::${object.bucket}` },
    object: {
      key: encodeKey(object.key),
      size: object.size,
      eTag: object.etag.replaceAll('"', ''),
      ...(object.version === 'null' ? {} : { versionId: object.version }),
      sequencer: object.sequence.toString(16).toUpperCase().padStart(16, '0'),
    },
  },
});

const matches = (rule: Rule, eventName: string, key: string): boolean =>
  rule.events.some((event) => event === `s3:${eventName}` || event === 's3:ObjectCreated:*') &&
  key.startsWith(rule.prefix) &&
  key.endsWith(rule.suffix);

/** Sends a message for every new object to the queues whose rules match, before the client is answered. */
export const notifyCreated =
  (store: ObjectStore, deliver: DeliverToQueue, region: string): ObjectCreated =>
  async (object, event) => {
    const eventName = `ObjectCreated:${event}`;
    const rules = parseRules(requireBucket(store, object.bucket).notification);
    for (const rule of rules.filter((one) => matches(one, eventName, object.key))) {
      await deliver(rule.queueArn, JSON.stringify({ Records: [eventRecord(object, eventName, rule, region)] }));
    }
  };

export const putNotification = async (
  store: ObjectStore,
  call: S3Request,
  deliver: DeliverToQueue,
  clock: () => number,
): Promise<void> => {
  const { notification: before } = requireBucket(store, call.bucket);
  const xml = await receiveText(call.request);
  const rules = parseRules(xml);
  const testEvent = JSON.stringify({
    Service: 'Amazon S3',
    Event: 's3:TestEvent',
    Time: new Date(clock()).toISOString(),
    Bucket: call.bucket,
    RequestId: 'LOCAL',
    HostId: 'local',
  });
  // Every start puts the same configuration again, which sends no test event.
  if (xml !== before) for (const rule of rules) await deliver(rule.queueArn, testEvent);
  store.setNotification(call.bucket, xml);
  sendEmpty(call.response, 200);
};
