// What a network offers. The spec names two families of networks; a third one is another line of `families`.

/** What the lookups show about a network (spec gap 5). */
interface Observed {
  /** Its tariffs have pooling, legacy and bolt-on attributes. */
  readonly tariffAttributes: boolean;
  readonly provisioningOrders: boolean;
}

export interface NetworkCapabilities extends Observed {
  /** For messages and reference data. */
  readonly family: string;
  readonly boltOns: boolean;
  readonly ipGroups: boolean;
}

const typeA = { family: 'A', tariffAttributes: true, provisioningOrders: true, boltOns: true, ipGroups: true };
const typeB = { family: 'B', tariffAttributes: false, provisioningOrders: false, boltOns: false, ipGroups: false };
const families: readonly NetworkCapabilities[] = [typeA, typeB];

/** The family that offers what was observed; the family that offers least, if none matches. */
export const networkCapabilities = (observed: Observed): NetworkCapabilities =>
  families.find(
    ({ tariffAttributes, provisioningOrders }) =>
      tariffAttributes === observed.tariffAttributes && provisioningOrders === observed.provisioningOrders,
  ) ?? typeB;
