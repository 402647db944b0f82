// A scan over a list of ports whose pages a test answers.
import type { PortList } from '#shared/service/contract.ts';
import { Rejected } from '#shared/service/errors.ts';
import { newScan, type PageBase, type ScanOptions, scanPorts, showsAll } from '#shared/service/scan-port-list.ts';
import { double } from '../double.ts';
import { portSummary } from './scripted-server.ts';

export const ids = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `port-${from + index}`);

/** A page of a correct list; page numbers below the base are clamped to it. */
export function pageOf(all: readonly string[], number: number, pageSize: number, base = 1): PortList {
  const start = Math.max(number - base, 0) * pageSize;
  const data = all.slice(start, start + pageSize).map((id) => portSummary(id));
  return { total: all.length, totalPages: Math.ceil(all.length / pageSize), data };
}

export interface TestScanOptions extends ScanOptions {
  readonly pageSize?: number;
  readonly pageBase?: PageBase;
}

export async function scanOver(
  answer: (number: number, call: number) => PortList | Promise<PortList>,
  { pageSize, pageBase, ...options }: TestScanOptions = { pageSize: 10 },
  scan = newScan(pageSize, pageBase),
) {
  const visited: string[] = [];
  const asked: number[] = [];
  const client = {
    listPorts: async (number: number) => {
      asked.push(number);
      return answer(number, asked.length);
    },
  };
  const ended = await scanPorts(double(client), scan, ({ id }) => visited.push(id), options);
  const { seen, pageBase: base } = scan;
  const result = { ports: seen.size, calls: asked.length, pageBase: base, ended, isComplete: showsAll(scan) };
  return { result, visited, asked, scan };
}

export const declined = new Rejected(
  { message: 'page numbers begin at 1', fieldErrors: [], msisdns: [] },
  { call: 'GET /api/porting/1', status: 400 },
);
