// The wire shapes of the SIM Management and Porting Service but those of submissions (submission-contract.ts), one zod
// schema each, named as the spec names them.
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
