// The wire shapes of the SIM Management and Porting Service, one zod schema each, named as the spec names them.
// The client parses answers with them, and the porting simulator validates requests and builds answers with them.
// Unknown fields are kept and ignored, and enum-like texts accept any value (spec gap 7).
import * as z from 'zod/mini';

/** `YYYY-MM-DDTHH:mm:ss` with optional milliseconds and `Z`; only the first ten characters are read (spec gap 8). */
export const wireDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}(T.*)?$/, 'expected an ISO 8601 date-time'));

/** A text that is not empty. */
export const filled = z.string().check(z.minLength(1));

export const portTypeNames = ['Port', 'MigrateIn', 'MigrateInKeep'] as const;
export type PortTypeName = (typeof portTypeNames)[number];

export const accessToken = z.looseObject({
  access_token: filled,
  expires_in: z.optional(z.number()),
  token_type: z.optional(z.string()),
  scope: z.optional(z.string()),
});

export const sourceNetwork = z.looseObject({ id: z.int(), name: z.string() });
export type SourceNetwork = z.infer<typeof sourceNetwork>;

export const targetNetwork = z.looseObject({
  id: z.int(),
  name: z.string(),
  maxPortDays: z.int(),
  minPortDays: z.int(),
  allowEsim: z.boolean(),
  networkNumber: z.int(),
  sourceNetworks: z.array(sourceNetwork),
  upcomingHolidays: z.array(wireDate),
});
export type TargetNetwork = z.infer<typeof targetNetwork>;

export const portingNetworkType = z.looseObject({
  portTypeName: z.string(),
  portType: z.int(),
  targetNetworks: z.array(targetNetwork),
});
export type PortingNetworkType = z.infer<typeof portingNetworkType>;
export const portingNetworks = z.array(portingNetworkType);

export const portSummary = z.looseObject({
  id: z.string(),
  name: z.string(),
  connectionDate: wireDate,
  portType: z.int(),
  portTypeName: z.string(),
  rowCount: z.int(),
  status: z.int(),
  statusName: z.string(),
});
export type PortSummary = z.infer<typeof portSummary>;

export const portList = z.looseObject({ total: z.int(), totalPages: z.int(), data: z.array(portSummary) });
export type PortList = z.infer<typeof portList>;

export const serviceSetting = z.object({ name: filled, value: z.string() });
export type ServiceSetting = z.infer<typeof serviceSetting>;

export const portRow = z.looseObject({
  id: z.string(),
  msisdn: z.string(),
  serialNo: z.nullish(z.string()),
  pac: z.nullish(z.string()),
  status: z.int(),
  statusName: z.string(),
  message: z.nullish(z.string()),
  groupName: z.nullish(z.string()),
  boltOns: z.nullish(z.array(z.int())),
  tariffId: z.nullish(z.int()),
  tariffName: z.nullish(z.string()),
  esim: z.nullish(z.boolean()),
  provisioningOrderName: z.nullish(z.string()),
  provisioningOrder: z.nullish(z.int()),
  services: z.nullish(z.array(serviceSetting)),
});
export type PortRow = z.infer<typeof portRow>;

export const portDetail = z.looseObject({
  id: z.string(),
  status: z.int(),
  statusName: z.string(),
  name: z.string(),
  targetNetworkId: z.int(),
  targetNetworkName: z.string(),
  sourceNetworkId: z.int(),
  sourceNetworkName: z.string(),
  connectionDate: wireDate,
  portType: z.int(),
  portTypeName: z.string(),
  rowCount: z.int(),
  rows: z.array(portRow),
});
export type PortDetail = z.infer<typeof portDetail>;

export const createPortRow = z.object({
  groupName: z.string().check(z.maxLength(255)),
  esim: z.boolean(),
  msisdn: filled,
  serialNo: z.nullish(z.string()),
  provisioningOrder: z.nullish(z.int()),
  provisioningOrderName: z.nullish(z.string().check(z.maxLength(255))),
  pac: z.nullish(z.string()),
  tariffId: z.int(),
  boltOns: z.array(z.int()),
  services: z.nullable(z.array(serviceSetting)),
});
export type CreatePortRow = z.infer<typeof createPortRow>;

export const createPortBody = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  targetNetworkId: z.int(),
  sourceNetworkId: z.int(),
  connectionDate: wireDate,
  portType: z.string(),
  rows: z.array(createPortRow).check(z.minLength(1)),
});
export type CreatePortBody = z.infer<typeof createPortBody>;

export const updatePortRow = z.object({
  Msisdn: filled,
  Pac: z.nullish(z.string()),
  PortRowStatus: z.enum(['Amended', 'CancellationRequested']),
});
export const updatePortBody = z.object({ Rows: z.array(updatePortRow).check(z.minLength(1)) });
export type UpdatePortBody = z.infer<typeof updatePortBody>;

export const provisioningOrder = z.looseObject({
  number: z.int(),
  name: z.string(),
  displayName: z.nullish(z.string()),
  isPooled: z.nullish(z.boolean()),
  isNetworkAccountDefault: z.nullish(z.boolean()),
  hiremanCurrencyId: z.nullish(z.int()),
});
export type ProvisioningOrder = z.infer<typeof provisioningOrder>;

export const tariff = z.looseObject({
  name: z.string(),
  number: z.int(),
  isLegacy: z.nullish(z.boolean()),
  requiresDataBoltOn: z.nullish(z.boolean()),
  supportsFullPooling: z.nullish(z.boolean()),
  configurationAttributes: z.optional(z.unknown()),
});
export type Tariff = z.infer<typeof tariff>;

export const boltOn = z.looseObject({
  name: z.string(),
  number: z.int(),
  isDataBoltOn: z.nullish(z.boolean()),
  isLegacy: z.nullish(z.boolean()),
  isTemporal: z.nullish(z.boolean()),
});
export type BoltOn = z.infer<typeof boltOn>;

export const service = z.looseObject({
  name: z.string(),
  optionValue: z.nullish(z.string()),
  readOnly: z.boolean(),
  type: z.string(),
  availableOptions: z.array(z.nullable(z.string())),
});
export type Service = z.infer<typeof service>;

export const serviceGroup = z.looseObject({ groupName: z.string(), services: z.array(service) });
export type ServiceGroup = z.infer<typeof serviceGroup>;

export const ipGroup = z.looseObject({
  id: z.int(),
  number: z.int(),
  name: z.string(),
  startIpAddress: z.string(),
  endIpAddress: z.string(),
  totalIpAddresses: z.int(),
  availableIpAddresses: z.int(),
});
export type IpGroup = z.infer<typeof ipGroup>;

export const bundleSize = z.looseObject({ id: z.int(), name: z.string(), size: z.int() });
export type BundleSize = z.infer<typeof bundleSize>;

export const provisioningTemplate = z.looseObject({
  id: z.int(),
  templateName: z.string(),
  friendlyName: z.string(),
  visible: z.boolean(),
  premium: z.boolean(),
});
export type ProvisioningTemplate = z.infer<typeof provisioningTemplate>;

export const company = z.looseObject({ id: z.int(), name: z.string() });
export type Company = z.infer<typeof company>;

// The submission calls of the service: the shape of each body, its path, and the ticket. The service decides which
// fields may be combined (spec, Submissions).

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
