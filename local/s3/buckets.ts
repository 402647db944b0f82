// Buckets: creating, listing, versioning, and deleting several objects in one call.
import { receiveText } from './body.ts';
import { S3Error } from './errors.ts';
import { deleteOne, requireBucket } from './objects.ts';
import { type S3Request, sendEmpty, sendXml } from './request.ts';
import type { ObjectStore } from './store.ts';
import { elements, elementText, type XmlNode } from './xml.ts';

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
