// The wire shapes of the SIM Management and Porting Service, one zod schema each, named as the spec names them.
// Both sides use them: the client parses answers with them, the porting service of this repository answers by them.
// Unknown fields are kept and ignored, enum-like texts stay open (decision 7).
import * as z from 'zod';

/** `YYYY-MM-DDTHH:mm:ss` with optional milliseconds and `Z`; only the first ten characters mean anything (decision 8). */
export const wireDate = z.string().regex(/^\d{4}-\d{2}-\d{2}(T.*)?$/, 'expected an ISO 8601 date-time');

export const portTypeNames = ['Port', 'MigrateIn', 'MigrateInKeep'] as const;
export type PortTypeName = (typeof portTypeNames)[number];

export const accessToken = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.number().optional(),
  token_type: z.string().optional(),
  scope: z.string().optional(),
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

export const serviceSetting = z.object({ name: z.string().min(1), value: z.string() });
export type ServiceSetting = z.infer<typeof serviceSetting>;

export const portRow = z.looseObject({
  id: z.string(),
  msisdn: z.string(),
  serialNo: z.string().nullish(),
  pac: z.string().nullish(),
  status: z.int(),
  statusName: z.string(),
  message: z.string().nullish(),
  groupName: z.string().nullish(),
  boltOns: z.array(z.int()).nullish(),
  tariffId: z.int().nullish(),
  tariffName: z.string().nullish(),
  esim: z.boolean().nullish(),
  provisioningOrderName: z.string().nullish(),
  provisioningOrder: z.int().nullish(),
  services: z.array(serviceSetting).nullish(),
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
  groupName: z.string().max(255),
  esim: z.boolean(),
  msisdn: z.string().min(1),
  serialNo: z.string().nullish(),
  provisioningOrder: z.int().nullish(),
  provisioningOrderName: z.string().max(255).nullish(),
  pac: z.string().nullish(),
  tariffId: z.int(),
  boltOns: z.array(z.int()),
  services: z.array(serviceSetting).nullable(),
});
export type CreatePortRow = z.infer<typeof createPortRow>;

export const createPortBody = z.object({
  name: z.string().min(1).max(255),
  targetNetworkId: z.int(),
  sourceNetworkId: z.int(),
  connectionDate: wireDate,
  portType: z.string(),
  rows: z.array(createPortRow).min(1),
});
export type CreatePortBody = z.infer<typeof createPortBody>;

export const updatePortRow = z.object({
  Msisdn: z.string().min(1),
  Pac: z.string().nullish(),
  PortRowStatus: z.enum(['Amended', 'CancellationRequested']),
});
export const updatePortBody = z.object({ Rows: z.array(updatePortRow).min(1) });
export type UpdatePortBody = z.infer<typeof updatePortBody>;

export const provisioningOrder = z.looseObject({
  number: z.int(),
  name: z.string(),
  displayName: z.string().nullish(),
  isPooled: z.boolean().nullish(),
  isNetworkAccountDefault: z.boolean().nullish(),
  hiremanCurrencyId: z.int().nullish(),
});
export type ProvisioningOrder = z.infer<typeof provisioningOrder>;

export const tariff = z.looseObject({
  name: z.string(),
  number: z.int(),
  isLegacy: z.boolean().nullish(),
  requiresDataBoltOn: z.boolean().nullish(),
  supportsFullPooling: z.boolean().nullish(),
  configurationAttributes: z.unknown().optional(),
});
export type Tariff = z.infer<typeof tariff>;

export const boltOn = z.looseObject({
  name: z.string(),
  number: z.int(),
  isDataBoltOn: z.boolean().nullish(),
  isLegacy: z.boolean().nullish(),
  isTemporal: z.boolean().nullish(),
});
export type BoltOn = z.infer<typeof boltOn>;

export const service = z.looseObject({
  name: z.string(),
  optionValue: z.string().nullish(),
  readOnly: z.boolean(),
  type: z.string(),
  availableOptions: z.array(z.string().nullable()),
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

export const submissionTicket = z.looseObject({ ticketNumber: z.guid() });

// Submissions. Only shapes stand here; which fields may go together is the service's to judge (spec "Submissions").

export const submissionStock = z.object({ serialNumber: z.string().min(1), msisdn: z.string().nullish() });

/** Of Provision and of Change Provision: the fields are the same, which of them are compulsory differs. */
export const provisionBody = z.object({
  stock: z.array(submissionStock).min(1),
  tariffNumber: z.int(),
  boltOns: z.array(z.int()).nullish(),
  createNewProvisioningOrder: z.boolean().nullish(),
  newProvisioningOrderName: z
    .string()
    .max(256)
    .regex(/^[A-Za-z0-9]*$/, 'expected letters and digits only')
    .nullish(),
  provisioningOrderNumber: z.int().nullish(),
  publicIpGroupId: z.int().nullish(),
  staticIpGroupId: z.int().nullish(),
  purchaseOrderNumber: z
    .string()
    .max(100)
    .refine((text) => text.split(',').length <= 5, 'expected at most 5 values separated by commas')
    .nullish(),
});
export type ProvisionBody = z.infer<typeof provisionBody>;

export const barServiceConfigBody = z.object({
  serialNumbers: z.array(z.string().min(1)).min(1),
  services: z.array(z.object({ name: z.string().min(1), value: z.string().min(1) })).min(1),
});
export type BarServiceConfigBody = z.infer<typeof barServiceConfigBody>;

const octet = z.int().min(0).max(255);

export const sendSmsBody = z.object({
  serialNumbers: z.array(z.string().min(1)).min(1),
  message: z.string().max(160),
  binary: z.boolean().nullish(),
  protocolId: octet.nullish(),
  dataCodingScheme: octet.nullish(),
  userDataHeader: z.string().nullish(),
});
export type SendSmsBody = z.infer<typeof sendSmsBody>;

export const createBundleBody = z.object({
  type: z.literal('vendor-create-bundle'),
  name: z.string(),
  commands: z
    .array(
      z.object({
        serialNumbers: z.array(z.string().min(1)).min(1),
        commandOptions: z.object({
          type: z.literal('vendor-create-bundle'),
          startDate: wireDate,
          bundleSizeMb: z.int(),
          bundlePeriod: z.string().min(1),
          provisioningTemplateId: z.int(),
        }),
      }),
    )
    .min(1),
});
export type CreateBundleBody = z.infer<typeof createBundleBody>;

export const configureBundleControlBody = z.object({
  name: z.string().nullish(),
  serialNumbers: z.array(z.string().min(1)).min(1),
  zone: z.string().min(1),
  bundleControlPeriod: z.enum(['oneOff', 'daily', 'monthly']),
  sizeMb: z.int().min(1),
  startDate: wireDate,
  endDate: wireDate.nullish(),
  bundleControlEndAction: z.enum(['cutoff', 'throttle']),
  roamingBucketVolumes: z.array(z.object({ Name: z.string().min(1), AllowanceMB: z.int().min(0) })).nullish(),
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
  const flag = z.boolean().optional();
  const commandOptions = z.object({
    type: z.literal(type),
    ...(Object.fromEntries(barFlags.map((name) => [name, flag])) as Record<BarFlag, typeof flag>),
  });
  return z.array(z.object({ serialNumbers: z.array(z.string().min(1)).min(1), commandOptions })).min(1);
};

export const barBody = z.object({ type: z.literal('bar'), commands: barCommands('vendor-detailed-bar') });
export const unbarBody = z.object({ type: z.literal('unbar'), commands: barCommands('vendor-detailed-unbar') });
export type BarBody = z.infer<typeof barBody> | z.infer<typeof unbarBody>;

/** `POST /api/simSubmission` serves three operations, told apart by `type`. */
export const simSubmissionBody = z.discriminatedUnion('type', [createBundleBody, barBody, unbarBody]);
export type SimSubmissionBody = z.infer<typeof simSubmissionBody>;
