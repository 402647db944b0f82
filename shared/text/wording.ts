// The plain name of a column of an operation, as people who use the console read it.

/** Where the words of the column's own name are not those of the field. */
const labels: Readonly<Record<string, string>> = {
  msisdn: 'Number',
  serialNo: 'SIM serial',
  pac: 'PAC',
  pacExpiry: 'PAC expiry',
  targetNetwork: 'Gaining network',
  sourceNetwork: 'Losing network',
  connectionDate: 'Port date',
  boltOns: 'Bolt-ons',
  esim: 'eSIM',
  provisioningOrderName: 'New provisioning order',
};

/** `Losing network` for `sourceNetwork`. In `boltOns: dataUK`, the option stays as it is. */
export function columnLabel(name: string): string {
  const [column = '', ...option] = name.split(': ');
  return [labels[column] ?? fromCamelCase(column), ...option].join(': ');
}

function fromCamelCase(name: string): string {
  const words = name.replaceAll(
    /([a-z\d])([A-Z])/g,
    (_both, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}
