// The submission calls of the service: the shape of each body, its path, and the ticket. The service decides which
// fields may be combined (spec, Submissions).
import * as z from 'zod/mini';
import { filled, wireDate } from '#shared/service/contract.ts';

export const submissionTicket = z.looseObject({ ticketNumber: z.guid() });

const serialNumbers = z.array(filled).check(z.minLength(1));

export const submissionStock = z.object({
  serialNumber: filled,
  msisdn: z.nullish(z.string()),
});

/** Provision and Change Provision have the same fields, but require different ones. */
export const provisionBody = z.object({
  stock: z.array(submissionStock).check(z.minLength(1)),
  tariffNumber: z.int(),
  boltOns: z.nullish(z.array(z.int())),
  createNewProvisioningOrder: z.nullish(z.boolean()),
  newProvisioningOrderName: z.nullish(
    z.string().check(z.maxLength(256), z.regex(/^[A-Za-z0-9]*$/, 'expected letters and digits only')),
  ),
  provisioningOrderNumber: z.nullish(z.int()),
  publicIpGroupId: z.nullish(z.int()),
  staticIpGroupId: z.nullish(z.int()),
  purchaseOrderNumber: z.nullish(
    z.string().check(
      z.maxLength(100),
      z.refine((text) => text.split(',').length <= 5, 'expected at most 5 values separated by commas'),
    ),
  ),
});
export type ProvisionBody = z.infer<typeof provisionBody>;

export const barServiceConfigBody = z.object({
  serialNumbers,
  services: z.array(z.object({ name: filled, value: filled })).check(z.minLength(1)),
});
export type BarServiceConfigBody = z.infer<typeof barServiceConfigBody>;

const octet = z.int().check(z.minimum(0), z.maximum(255));

export const sendSmsBody = z.object({
  serialNumbers,
  message: z.string().check(z.maxLength(160)),
  binary: z.nullish(z.boolean()),
  protocolId: z.nullish(octet),
  dataCodingScheme: z.nullish(octet),
  userDataHeader: z.nullish(z.string()),
});
export type SendSmsBody = z.infer<typeof sendSmsBody>;

export const createBundleBody = z.object({
  type: z.literal('vendor-create-bundle'),
  name: z.string(),
  commands: z
    .array(
      z.object({
        serialNumbers,
        commandOptions: z.object({
          type: z.literal('vendor-create-bundle'),
          startDate: wireDate,
          bundleSizeMb: z.int(),
          bundlePeriod: filled,
          provisioningTemplateId: z.int(),
        }),
      }),
    )
    .check(z.minLength(1)),
});
export type CreateBundleBody = z.infer<typeof createBundleBody>;

export const configureBundleControlBody = z.object({
  name: z.nullish(z.string()),
  serialNumbers,
  zone: filled,
  bundleControlPeriod: z.enum(['oneOff', 'daily', 'monthly']),
  sizeMb: z.int().check(z.minimum(1)),
  startDate: wireDate,
  endDate: z.nullish(wireDate),
  bundleControlEndAction: z.enum(['cutoff', 'throttle']),
  roamingBucketVolumes: z.nullish(z.array(z.object({ Name: filled, AllowanceMB: z.int().check(z.minimum(0)) }))),
});
export type ConfigureBundleControlBody = z.infer<typeof configureBundleControlBody>;

/** The flags of the legacy Bar / Unbar. */
export const barFlags = [
  'admin',
  'gprs',
  'gprsRoaming',
  'international',
  'outgoing',
  'mms',
  'premium',
  'smsIncoming',
  'smsOutgoing',
  'smsPremium',
  'voiceRoaming',
] as const;
export type BarFlag = (typeof barFlags)[number];

const barCommands = <const Type extends string>(type: Type) => {
  const flag = z.optional(z.boolean());
  const commandOptions = z.object({
    type: z.literal(type),
    ...(Object.fromEntries(barFlags.map((name) => [name, flag])) as Record<BarFlag, typeof flag>),
  });
  return z.array(z.object({ serialNumbers, commandOptions })).check(z.minLength(1));
};

export const barBody = z.object({ type: z.literal('bar'), commands: barCommands('vendor-detailed-bar') });
export const unbarBody = z.object({ type: z.literal('unbar'), commands: barCommands('vendor-detailed-unbar') });
export type BarBody = z.infer<typeof barBody> | z.infer<typeof unbarBody>;

/** `POST /api/simSubmission` serves three operations, distinguished by `type`. */
export const simSubmissionBody = z.discriminatedUnion('type', [createBundleBody, barBody, unbarBody]);
export type SimSubmissionBody = z.infer<typeof simSubmissionBody>;

/** The body of each path. Upper and lower case are as in the spec, where one path differs (spec gap 2). */
export const submissionBodies = {
  '/api/simSubmission': simSubmissionBody,
  '/api/simSubmission/Provision': provisionBody,
  '/api/simSubmission/ChangeProvision': provisionBody,
  '/api/simSubmission/BarServiceConfig': barServiceConfigBody,
  '/api/simSubmission/SendSms': sendSmsBody,
  '/api/simsubmission/ConfigureBundleControl': configureBundleControlBody,
} as const;
export type SubmissionPath = keyof typeof submissionBodies;
