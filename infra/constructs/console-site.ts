// The console's static files and its one address: CloudFront in front of a private bucket and of the API, so that the
// page calls its own origin.
import { Duration, Fn, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { acknowledge, fixLogicalId } from '../cdk-conventions.ts';
import { contentSecurityPolicy } from '../content-security-policy.ts';
import type { Configuration } from '../settings.ts';

interface ConsoleSiteProps {
  readonly stage: string;
  readonly console: Configuration['console'];
  /** `https://…` of the API. */
  readonly apiEndpoint: string;
  /** Where the page may send requests beside its own origin: sign-in, and links of the buckets. */
  readonly connectTo: readonly string[];
  readonly removalPolicy: RemovalPolicy;
}

export class ConsoleSite extends Construct {
  readonly bucket: Bucket;
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, props: ConsoleSiteProps) {
    super(scope, id);
    const { stage, console, apiEndpoint, connectTo, removalPolicy } = props;
    // The names of these resources are unique in an account, over all regions.
    const name = `simporter-${stage}-${Stack.of(this).region}`;
    this.bucket = new Bucket(this, 'Files', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy,
      // An upload that breaks off leaves parts that are invisible but billed.
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    });
    acknowledge(this.bucket, 'AwsSolutions-S1', 'The bucket holds the public files of the page and no data.');
    fixLogicalId(this.bucket);
    const headers = this.securityHeaders(name, connectTo);
    const common = { viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS, responseHeadersPolicy: headers };
    this.distribution = new Distribution(this, 'Distribution', {
      comment: 'The simporter console',
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        ...common,
        origin: S3BucketOrigin.withOriginAccessControl(this.bucket, {
          originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: name }),
        }),
        compress: true,
      },
      // By default CloudFront repeats an error to everybody for ten seconds.
      errorResponses: [500, 502, 503, 504].map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      additionalBehaviors: {
        [`${apiPrefix.slice(1)}/*`]: {
          ...common,
          origin: new HttpOrigin(Fn.select(2, Fn.split('/', apiEndpoint))),
          allowedMethods: AllowedMethods.ALLOW_ALL,
          cachePolicy: CachePolicy.CACHING_DISABLED,
          originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        },
      },
      ...this.ownDomain(console),
    });
    this.acknowledgeFindings(console);
  }

  private securityHeaders(responseHeadersPolicyName: string, connectTo: readonly string[]): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(connectTo), override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), includeSubdomains: true, override: true },
      },
    });
  }

  private ownDomain({ domain, certificateArn }: ConsoleSiteProps['console']) {
    if (domain === undefined || certificateArn === undefined) return {};
    return {
      domainNames: [domain],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  private acknowledgeFindings({ domain }: ConsoleSiteProps['console']): void {
    const { distribution } = this;
    acknowledge(distribution, 'AwsSolutions-CFR1', 'People travel: the roles of the user pool decide who has access.');
    acknowledge(
      distribution,
      'AwsSolutions-CFR2',
      'A web ACL is priced per month: the API has a rate limit of all persons together.',
    );
    acknowledge(distribution, 'AwsSolutions-CFR3', 'The files are public; the API logs each of its requests.');
    if (domain !== undefined) return;
    acknowledge(distribution, 'AwsSolutions-CFR4', 'Without an own domain CloudFront uses its own certificate.');
  }
}
