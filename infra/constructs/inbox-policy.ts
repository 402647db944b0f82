// The inbox accepts only uploads that the pipeline can read: in the bucket's own encryption, and not archived.
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';

const encryption = 's3:x-amz-server-side-encryption';
/** Is true where the request has the header. */
const isPresent = (key: string) => ({ Null: { [key]: 'false' } });

export function denyUnreadableUploads(inbox: Bucket, key: IKey): void {
  const deny = (sid: string, conditions: Readonly<Record<string, unknown>>) =>
    inbox.addToResourcePolicy(
      new PolicyStatement({
        sid,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:PutObject'],
        resources: [inbox.arnForObjects('*')],
        conditions,
      }),
    );
  deny('DenyCustomerProvidedKeys', isPresent(`${encryption}-customer-algorithm`));
  // Uploads without the header get the bucket's default encryption. AES256 and aws:kms without a key id replace it.
  deny('DenyOtherKeys', {
    ...isPresent(encryption),
    StringNotEquals: { [`${encryption}-aws-kms-key-id`]: key.keyArn },
  });
  deny('DenyArchiveStorageClasses', { StringEquals: { 's3:x-amz-storage-class': ['GLACIER', 'DEEP_ARCHIVE'] } });
}
