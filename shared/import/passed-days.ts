// A plan that waited too long has days that can no longer be booked: the approval books other ones, or none.

/** What happens to the rows of such a day. Rows with `auto` and rows with this day of their own may be in one group. */
export const afterPassedDays =
  'After the approval, numbers with the date "auto" are booked for the next possible day. ' +
  'Numbers with such a fixed date are declined.';

/** A group of requests, with what its first rows are sent with. */
interface PlannedGroup {
  readonly samples: readonly { readonly values: readonly { readonly name: string; readonly value: string }[] }[];
}
/** As the list of networks has it. */
type ListedNetwork = Readonly<Record<string, string>>;

/**
 * The days of the plan that are too near for their network, or over, the earliest first.
 * @param earliestOf the first day that is left, YYYY-MM-DD; undefined is a network that the list does not have
 */
export function passedDays(
  groups: readonly PlannedGroup[],
  networks: readonly ListedNetwork[],
  earliestOf: (network: ListedNetwork | undefined) => string,
): readonly string[] {
  const days = groups.flatMap(({ samples }) =>
    samples.flatMap(({ values }) => {
      const { connectionDate, targetNetwork, portType } = Object.fromEntries(
        values.map(({ name, value }) => [name, value]),
      );
      if (connectionDate === undefined) return [];
      const network = networks.find((one) => one.targetNetworkId === targetNetwork && one.portType === portType);
      return connectionDate < earliestOf(network) ? [connectionDate] : [];
    }),
  );
  return [...new Set(days)].sort();
}
