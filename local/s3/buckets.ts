// Buckets: creating, listing, versioning, and deleting several objects in one call.

import { createHash } from 'node:crypto';
import { receiveText } from './body.ts';
import { deleteOne, type ObjectCreated, requireBucket } from './objects.ts';
import {
  elements,
  elementText,
  notImplemented,
  S3Error,
  type S3Request,
  sendEmpty,
  sendXml,
  type XmlNode,
} from './request.ts';
import type { ObjectStore, StoredObject } from './store.ts';

export const createBucket = async (store: ObjectStore, call: S3Request): Promise<void> => {
  call.request.resume();
  if (store.findBucket(call.bucket) !== undefined) {
    throw new S3Error(409, 'BucketAlreadyOwnedByYou', 'You already own this bucket');
  }
  store.addBucket(call.bucket);
  sendEmpty(call.response, 200, { location: `/${call.bucket}` });
};

export const headBucket = async (store: ObjectStore, call: S3Request, region: string): Promise<void> => {
  requireBucket(store, call.bucket);
  sendEmpty(call.response, 200, { 'x-amz-bucket-region': region });
};

/** The region, which other programs ask for before they sign a call; that of us-east-1 is empty. */
export const getLocation = async (store: ObjectStore, call: S3Request, region: string): Promise<void> => {
  requireBucket(store, call.bucket);
  sendXml(call.response, 'LocationConstraint', region === 'us-east-1' ? '' : region);
};

export const listBuckets = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const buckets = store.buckets().map(({ name, createdAt }) => ({
    Name: name,
    CreationDate: new Date(createdAt).toISOString(),
  }));
  sendXml(call.response, 'ListAllMyBucketsResult', { Buckets: { Bucket: buckets } });
};

export const putVersioning = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  store.setVersioned(call.bucket, elementText(await receiveText(call.request), 'Status') === 'Enabled');
  sendEmpty(call.response, 200);
};

export const deleteObjects = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  const xml = await receiveText(call.request);
  const deleted: XmlNode[] = [];
  for (const element of elements(xml, 'Object')) {
    const key = elementText(element, 'Key') ?? '';
    await deleteOne(store, call.bucket, key, elementText(element, 'VersionId'));
    deleted.push({ Key: key });
  }
  const quiet = elementText(xml, 'Quiet') === 'true';
  sendXml(call.response, 'DeleteResult', quiet ? {} : { Deleted: deleted });
};

// ObjectCreated notifications as S3 sends them, and the s3:TestEvent for a new configuration.

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
