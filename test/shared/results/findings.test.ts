// Messages of the console name no option of the command line and no name of a column in the code.
import { expect, test } from 'vitest';
import { messageForPage } from '#shared/results/findings.ts';

const under = 'say so under "Columns and formats"';

test.each([
  [
    'the column portType is missing. If the file has it under another name: --map "NAME=portType"',
    `The column "Port type" is missing. If the file has it under another name: ${under}`,
  ],
  ['the column tariff is missing', 'The column "Tariff" is missing'],
  ['"Line" (values like 99999) may be it: --map "Line=msisdn"', `"Line" (values like 99999) may be it: ${under}`],
  [
    'To use it, rename the column to "pac" or add --map "Code=pac". To keep it: --map "Code="',
    `To use it, rename the column to "pac" or ${under}. To keep it: ${under}`,
  ],
  ['If another line is the header, name it: --header-row LINE', `If another line is the header, ${under}`],
  [
    'Name the order: --dates dmy (day first) or --dates mdy (month first), or --dates ymd (year first)',
    'Name the order under "Columns and formats"',
  ],
  [
    '2 sheets have these columns: "A", "B". Choose one, or several that are read as one file: --sheet "B", or --sheet "A" --sheet "B"',
    '2 sheets have these columns: "A", "B". Choose one, or several that are read as one file under "Columns and formats"',
  ],
  [
    'Compare them with their source. If they are right: --dates dmy',
    `Compare them with their source. If they are right: ${under}`,
  ],
  [
    'UK Mobile B has no provisioning orders. Use provisioningOrderName',
    'UK Mobile B has no provisioning orders. Use "New provisioning order"',
  ],
  [
    'rows 3 and 4 are hidden: they are imported too. To leave them out: --visible-rows-only',
    `Rows 3 and 4 are hidden: they are imported too. To leave them out: ${under}`,
  ],
  ['447700900123 is already on line 3', '447700900123 is already on line 3'],
])('%s', (message, shown) => {
  expect(messageForPage(message)).toBe(shown);
});
