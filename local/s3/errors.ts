// The errors of S3, with the codes that its clients match on.

export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const invalidArgument = (message: string): S3Error => new S3Error(400, 'InvalidArgument', message);
export const invalidRequest = (message: string): S3Error => new S3Error(400, 'InvalidRequest', message);
export const noSuchBucket = (): S3Error => new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
export const noSuchKey = (): S3Error => new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
export const noSuchUpload = (): S3Error =>
  new S3Error(404, 'NoSuchUpload', 'The specified multipart upload does not exist.');
export const preconditionFailed = (): S3Error =>
  new S3Error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
export const notImplemented = (what: string): S3Error =>
  new S3Error(501, 'NotImplemented', `The embedded S3 does not implement ${what}`);
