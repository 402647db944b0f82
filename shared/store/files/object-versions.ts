// Every version of the objects of a bucket, except deleted ones.
import {
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  type ListObjectVersionsOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

export interface ListedVersion {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
  /** Without quotes. */
  readonly etag: string;
  readonly lastModified: Date;
}

/**
 * By key, after the key `after`, and the newest version first. Overwritten versions are listed, deleted ones are not.
 */
export async function* listVersions(client: S3Client, bucket: string, after = ''): AsyncIterable<ListedVersion> {
  const deletedAt = new Map<string, number>();
  for await (const page of versionPages(client, { Bucket: bucket, ...(after !== '' && { KeyMarker: after }) })) {
    noteDeletes(page, deletedAt);
    for (const { Key: key = '', VersionId: versionId = '', ETag = '', LastModified = new Date(0) } of page.Versions ??
      []) {
      if ((deletedAt.get(key) ?? 0) > LastModified.getTime()) continue;
      yield { bucket, key, versionId, etag: ETag.replaceAll('"', ''), lastModified: LastModified };
    }
  }
}

/** With the versions that were deleted. */
export async function* versionPages(
  client: S3Client,
  query: ListObjectVersionsCommandInput,
): AsyncIterable<ListObjectVersionsOutput> {
  let next: ListObjectVersionsCommandInput | undefined = query;
  while (next !== undefined) {
    const page: ListObjectVersionsOutput = await client.send(new ListObjectVersionsCommand(next));
    yield page;
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    next = page.IsTruncated ? { ...query, KeyMarker, VersionIdMarker } : undefined;
  }
}

/**
 * A delete marker is listed before the versions that it hides, perhaps on an earlier page. All times are whole seconds.
 */
function noteDeletes({ DeleteMarkers = [] }: ListObjectVersionsOutput, deletedAt: Map<string, number>): void {
  for (const { Key = '', IsLatest, LastModified } of DeleteMarkers) {
    const at = IsLatest ? Number.POSITIVE_INFINITY : (LastModified?.getTime() ?? 0);
    deletedAt.set(Key, Math.max(at, deletedAt.get(Key) ?? 0));
  }
}
