// The numbers of a plan: every valid row, where it is in the plan, and which of them are left out.
import { describe, expect, test } from 'vitest';
import { settle } from '../../../chaos/drive.ts';
import { csvTextOf, rowsFrom } from '../../../chaos/scenario.ts';
import { announceUpload, planText, readAgain } from '../../../support/api/corrections.ts';
import { type ApiWorld, startApiWorld } from '../../../support/api/simulated-api.ts';
import { numberAt, simAt } from '../../../support/ingest/valid-rows.ts';

interface PlanRow {
  readonly line: number;
  readonly planned: { readonly request: number; readonly group: string; readonly day: string } | null;
}

/** All pages. */
async function waitingRows({ call }: ApiWorld, importId: string, query = ''): Promise<PlanRow[]> {
  const rows: PlanRow[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor && `&cursor=${cursor}`;
    const { body } = await call('GET', `/imports/${importId}/rows?outcome=waiting&limit=100${query}${from}`);
    rows.push(...body.rows);
    cursor = body.nextCursor;
  }
  return rows;
}

const linesOf = (rows: readonly PlanRow[]): number[] => rows.map(({ line }) => line);
const codes = (many: number) => Array.from({ length: many }, (_, index) => `ABC${100_000 + index}`);

/** Each row has a group of its own, and the last PAC is too short. */
function fileOfGroups(many: number): string {
  const [header = '', ...lines] = csvTextOf(rowsFrom(0, [...codes(many), 'AB1']))
    .trim()
    .split('\n');
  const titles = header.split(',');
  const place = titles.indexOf('connectionDate');
  const rows = lines.map((line, index) => {
    const cells = line.split(',');
    cells[place] = ['2026-07-13', '2026-07-14', '2026-07-15'][index % 3] ?? '';
    return `${cells.join(',')},Order ${index},Group ${index}`;
  });
  return [`${header},reference,groupName`, ...rows].join('\n');
}

test('every valid row of a plan is listed once with its group and its day, however many groups there are', async () => {
  const api = startApiWorld();
  const importId = await planText(api, fileOfGroups(230));
  const { body: plan } = await api.call('GET', `/imports/${importId}/plan`);
  const rows = await waitingRows(api, importId);
  expect(linesOf(rows)).toEqual(Array.from({ length: 230 }, (_, index) => index + 2));
  for (const { line, planned } of rows) {
    const day = ['2026-07-13', '2026-07-14', '2026-07-15'][(line - 2) % 3];
    expect(planned).toMatchObject({ day, group: expect.stringContaining(`, ${day}`), dateReason: null });
  }
  expect(plan.groups.map(({ group }: { group: string }) => group).sort()).toEqual(
    [...new Set(rows.map(({ planned }) => planned?.group))].sort(),
  );
  expect(new Set(rows.map(({ planned }) => planned?.request)).size).toBe(plan.requestCount);
});

test.each([
  ['a number in another spelling', `+44 ${numberAt(7).slice(-10, -6)} ${numberAt(7).slice(-6)}`],
  [
    'a SIM in groups of digits',
    simAt(7)
      .replaceAll(/(\d{4})/g, '$1 ')
      .trim(),
  ],
  ['an own reference', 'order 7'],
])('a row of a plan is found by %s', async (_, text) => {
  const api = startApiWorld();
  const importId = await planText(api, fileOfGroups(9));
  expect(linesOf(await waitingRows(api, importId, `&text=${encodeURIComponent(text)}`))).toEqual([9]);
});

test('a row that was left out is in no plan: neither the plan before nor an approval of it sends the row', async () => {
  const api = startApiWorld();
  const importId = await planText(api, fileOfGroups(3));
  const { planHash: before } = (await api.call('GET', `/imports/${importId}/plan`)).body;
  await readAgain(api, importId, { reading: 1, leaveOut: [3] });
  expect(linesOf(await waitingRows(api, importId))).toEqual([2, 4]);
  const late = await api.call('POST', `/imports/${importId}/approve`, { body: { planHash: before } });
  expect(late.body.code).toBe('plan-changed');
  await settle(api.world);
  expect(api.world.network.ports()).toEqual([]);
  await api.approve(importId);
  const sent = api.world.network.ports().flatMap(({ rows }) => rows.map(({ msisdn }) => msisdn));
  expect(sent.sort()).toEqual([numberAt(0), numberAt(2)].sort());
  expect((await waitingRows(api, importId)).every(({ planned }) => planned === null)).toBe(true);
});

test('rows of a correction have their lines in the first file, and the group in which the correction sends them', async () => {
  const api = startApiWorld();
  const first = await planText(api, fileOfGroups(3));
  await api.approve(first);
  const rows = [{ line: 5, cells: { pac: 'ABC999999' } }];
  const { body } = await api.call('POST', `/imports/${first}/corrections`, { body: { rows } });
  await announceUpload(api);
  expect(await waitingRows(api, body.importId)).toMatchObject([{ line: 5, planned: { day: '2026-07-13' } }]);
});

test('the numbers of a request are listed by its number, page by page, and no other', async () => {
  const api = startApiWorld();
  const importId = await planText(api, csvTextOf(rowsFrom(0, codes(130))));
  const { body: plan } = await api.call('GET', `/imports/${importId}/plan`);
  await api.call('POST', `/imports/${importId}/approve`, { body: { planHash: plan.planHash } });
  await settle(api.world);
  const { body } = await api.call('GET', `/imports/${importId}/requests`);
  const rowsOf = async (request: number): Promise<number[]> => {
    const lines: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from = cursor && `&cursor=${cursor}`;
      const page = await api.call('GET', `/imports/${importId}/rows?request=${request}&limit=30${from}`);
      lines.push(...page.body.rows.map(({ line }: PlanRow) => line));
      cursor = page.body.nextCursor;
    }
    return lines;
  };
  expect(body.requests.length).toBeGreaterThan(1);
  const all = await Promise.all(body.requests.map(({ request }: { request: number }) => rowsOf(request)));
  expect(all.map(({ length }) => length)).toEqual(body.requests.map(({ rows }: { rows: number }) => rows));
  expect(all.flat().toSorted((one, other) => one - other)).toEqual(Array.from({ length: 130 }, (_, at) => at + 2));
  expect((await api.call('GET', `/imports/${importId}/rows?request=999`)).status).toBe(404);
  expect((await api.call('GET', `/imports/${importId}/rows?request=1&column=tariff`)).status).toBe(400);
});

describe('the numbers of a request are as many as it counts', () => {
  const requestsOf = async ({ call }: ApiWorld, importId: string) => {
    const { requests } = (await call('GET', `/imports/${importId}/requests`)).body;
    return Promise.all(
      requests.map(async ({ request, rows }: { request: number; rows: number }) => {
        const page = await call('GET', `/imports/${importId}/rows?request=${request}`);
        return { rows, lines: linesOf(page.body.rows) };
      }),
    );
  };
  const approve = async ({ call }: ApiWorld, importId: string) => {
    const { planHash } = (await call('GET', `/imports/${importId}/plan`)).body;
    await call('POST', `/imports/${importId}/approve`, { body: { planHash } });
  };

  test('before it was attempted', async () => {
    const api = startApiWorld();
    const { timeline, table } = api.world;
    const importId = await planText(api, csvTextOf(rowsFrom(0, codes(3))));
    await approve(api, importId);
    const isPlanned = () => table.items().some(({ token, state }) => token !== undefined && state === 'planned');
    while (!isPlanned()) await timeline.step(timeline.now() + 86_400_000);
    expect(await requestsOf(api, importId)).toEqual([{ rows: 3, lines: [2, 3, 4] }]);
  });

  test('where some of them were skipped', async () => {
    const api = startApiWorld();
    const first = await planText(api, csvTextOf(rowsFrom(1, codes(1))));
    const second = await planText(api, csvTextOf(rowsFrom(0, codes(3))));
    await approve(api, first);
    await settle(api.world);
    await approve(api, second);
    await settle(api.world);
    expect(await requestsOf(api, second)).toEqual([{ rows: 3, lines: [2, 3, 4] }]);
  });
});
