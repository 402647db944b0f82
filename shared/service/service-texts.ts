// Texts of the service without porting codes. The service may repeat any code that it was sent or that it shows, and a
// code of a country without a typical form is only recognised by comparison (spec gap 44).
import { maskCodes, redactText } from '#shared/row/redact.ts';
import { truncate } from '#shared/text/wording.ts';
import type { PortDetail, PortList } from './contract.ts';

/** A name of a status; the longest of the spec has 22 characters. */
const longestStatus = 100;
/** Only the start of an answer is kept, and a page of a gateway may have megabytes. */
const longestAnswer = 20_000;
/** The form of every status of the spec. */
const plainStatus = /^[A-Za-z ]{1,40}$/;

/** The codes in JSON, or in a part of it. */
export const codesIn = (json: string): string[] =>
  Array.from(truncate(json, longestAnswer * 10).matchAll(/"pac"\s*:\s*"([^"]{4,60})"/gi), ([, code = '']) => code);

/** The start of a text of the service, without these codes and without anything that looks like a secret. */
export const serviceText = (text: string, codes: readonly string[]): string =>
  redactText(maskCodes(truncate(text, longestAnswer), codes));

const statusText = (name: string, codes: readonly string[] = []): string =>
  plainStatus.test(name) ? name : truncate(serviceText(name, codes), longestStatus);

/** A port whose statuses and messages hold no code. */
export function portWithoutCodes(port: PortDetail): PortDetail {
  const codes = port.rows.flatMap(({ pac }) => pac ?? []);
  const rows = port.rows.map((row) => ({
    ...row,
    statusName: statusText(row.statusName, codes),
    message: row.message && serviceText(row.message, codes),
  }));
  return { ...port, statusName: statusText(port.statusName, codes), rows };
}

/** A page of the list whose statuses are of readable length and hold no code. */
export const listWithoutCodes = (list: PortList): PortList => ({
  ...list,
  data: list.data.map((port) => ({ ...port, statusName: statusText(port.statusName) })),
});

// Where a call may go: only to the configured host, over TLS or on this machine (spec gap 43).

/**
 * Checks a configured address.
 * @throws TypeError that names the setting, unless it is https (or http on loopback) without credentials and query
 */
export function serviceAddress(setting: string, text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined) throw new TypeError(`${setting}: expected an https address, got ${JSON.stringify(text)}`);
  if (address.username !== '' || address.password !== '' || address.search !== '' || address.hash !== '') {
    throw new TypeError(`${setting}: expected an address without user, password, query or fragment`);
  }
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLoopback(address.hostname))) {
    throw new TypeError(`${setting}: expected https (http only on loopback), got ${address.protocol}//${address.host}`);
  }
  return address;
}

/**
 * Every address of the porting simulator that simporter starts or deploys ends in it, and none of a real service does:
 * whether numbers are really ported follows from the address that the functions call, and from nothing else.
 */
export const simulatorPath = '/simporter-simulator';

/** Whether nothing reaches a network, because this address of the service is one of the simulator. */
export const isSimulator = (baseUrl: string): boolean => new URL(baseUrl).pathname.endsWith(simulatorPath);

/** `path` under `base`, joined by exactly one slash (spec gap 2). @throws TypeError when the result has another host */
export function addressUnder(base: URL, path: string): URL {
  const address = new URL(`${base.href.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`);
  if (address.origin !== base.origin) throw new TypeError(`expected a path of ${base.origin}, got another host`);
  return address;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
