// Everything that reads texts of strangers, each as a function of one text: cells, names, files, settings, queries and
// answers. test/architecture/text-readers.test.ts finds a function that is in neither list.

import * as terminal from '#cli/output/text.ts';
import type { Description } from '#functions/api/http/endpoint.ts';
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { decodeCursor } from '#functions/api/schemas.ts';
import { writeEndpoints } from '#functions/api/write/endpoints.ts';
import * as addedColumns from '#shared/files/added-columns.ts';
import * as columnValues from '#shared/files/column-values.ts';
import { breaksWithin, textOfCells } from '#shared/files/csv/batch-builder.ts';
import * as csvRow from '#shared/files/csv/csv-row.ts';
import { lineBreaksIn, linesOf } from '#shared/files/csv/decode-text.ts';
import { parseRecord, quoteProblem } from '#shared/files/csv/parse-record.ts';
import { openQuoteLine } from '#shared/files/csv/record-scanner.ts';
import * as headerWords from '#shared/files/header-words.ts';
import { columnIndexesOf, mapHeader, secretDefault } from '#shared/files/map-header.ts';
import { detectHeader, headerIdOf, openUpload } from '#shared/files/open-upload.ts';
import * as secretColumns from '#shared/files/secret-columns.ts';
import {
  findLongSettings,
  readSeparator,
  readUploadSettings,
  toUploadMetadata,
} from '#shared/files/upload-settings.ts';
import { isOff, readCellStyles, unescapeText } from '#shared/files/workbook/cell-text.ts';
import { openArchive } from '#shared/files/workbook/open-archive.ts';
import { parseWholeXml } from '#shared/files/workbook/parse-xml.ts';
import { findMergedCells } from '#shared/files/workbook/sheet-rows.ts';
import { listSheetXml } from '#shared/files/workbook/write-workbook.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import * as cellReader from '#shared/operations/columns/cell-reader.ts';
import * as namedItems from '#shared/operations/columns/named-items.ts';
import { isCross, isTick, meaningOf, withOptions } from '#shared/operations/columns/option-cells.ts';
import { isOptionTarget, readHeader } from '#shared/operations/columns/option-columns.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';
import { RowReader } from '#shared/operations/validate-row.ts';
import { messageForPage } from '#shared/results/findings.ts';
import { createCellMask, maskHeader } from '#shared/results/mask-cells.ts';
import { fromWireDate, parseCalendarDate } from '#shared/row/calendar-date.ts';
import * as cell from '#shared/row/cell.ts';
import { DateOrderEvidence, dateOfDayNumber, normalizeDate, normalizeDateTime } from '#shared/row/date-order.ts';
import * as didYouMean from '#shared/row/did-you-mean.ts';
import { parseIccid } from '#shared/row/iccid.ts';
import { msisdnKey, parseMsisdn } from '#shared/row/msisdn.ts';
import * as pac from '#shared/row/pac.ts';
import * as redacting from '#shared/row/redact.ts';
import { readDecline } from '#shared/service/classify-response.ts';
import { codesIn, serviceAddress, serviceText } from '#shared/service/service-texts.ts';
import {
  containsNumber,
  createMentionSearch,
  createRecordFilter,
  mentionsOf,
  withoutMentions,
} from '#shared/store/search-number.ts';
import { detectArchive, readAtMost } from '#shared/text/first-bytes.ts';
import { tokenOfPortName, withoutToken } from '#shared/text/identity.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import { columnLabel, oneLine, truncate } from '#shared/text/wording.ts';
import { parsePasted } from '../../../console/screens/review/edits.ts';
import { workbookFile } from '../files/workbook-file.ts';
import { rowsContext, validCells } from '../ingest/catalogue.ts';
import { validTicketRows } from '../ingest/operation-cells.ts';
import { sampleCatalogue } from '../ingest/sample-catalogue.ts';
import type { PrepareRead } from './cost.ts';

/** Names that a text may be similar to. */
const names = Array.from({ length: 50 }, (_, index) => `UK Mobile ${index}`);
const options = names.map((name, number) => ({ name, number }));
const kind = { column: 'tariff', code: 'TARIFF_UNKNOWN', what: 'tariff', among: 'on Network A' } as const;
const british = { callingCode: '44' } as const;
const catalogue = createCatalogue(sampleCatalogue);
const mentions = mentionsOf('447700900123', '44');
const cellsOf = (text: string) => new cellReader.CellReader(() => text);

async function* once(content: string | Buffer): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

/** The functions that read one text, by file and name. */
export const textReaders: Readonly<Record<string, (text: string) => unknown>> = {
  'shared/row/calendar-date.ts#parseCalendarDate': parseCalendarDate,
  'shared/row/calendar-date.ts#fromWireDate': fromWireDate,
  'shared/row/cell.ts#isShortened': cell.isShortened,
  'shared/row/cell.ts#isRounded': cell.isRounded,
  'shared/row/cell.ts#findDamage': cell.findDamage,
  'shared/row/cell.ts#findLostZeros': cell.findLostZeros,
  'shared/row/date-order.ts#normalizeDate': (text) => [normalizeDate(text, undefined), normalizeDate(text, 'dmy')],
  'shared/row/date-order.ts#normalizeDateTime': (text) => normalizeDateTime(text, undefined),
  'shared/row/date-order.ts#dateOfDayNumber': (text) => dateOfDayNumber(text),
  'the order of dates': (text) => new DateOrderEvidence().add(text, 1),
  'shared/row/did-you-mean.ts#editDistance': (text) => didYouMean.editDistance(text, 'UK Mobile A', 3),
  'shared/row/did-you-mean.ts#closest': (text) => didYouMean.closest(text, names),
  'shared/row/did-you-mean.ts#didYouMean': (text) => didYouMean.didYouMean(text, names),
  'shared/row/did-you-mean.ts#checkCharacters': didYouMean.checkCharacters,
  'shared/row/did-you-mean.ts#checkLine': didYouMean.checkLine,
  'shared/row/did-you-mean.ts#describeCharacter': didYouMean.describeCharacter,
  'shared/row/did-you-mean.ts#nameKey': didYouMean.nameKey,
  'shared/row/iccid.ts#parseIccid': parseIccid,
  'shared/row/msisdn.ts#parseMsisdn': (text) => parseMsisdn(text, british),
  'shared/row/msisdn.ts#msisdnKey': (text) => msisdnKey(text, '44'),
  'shared/row/pac.ts#canonicalPac': pac.canonicalPac,
  'shared/row/pac.ts#maybePac': pac.maybePac,
  'shared/row/pac.ts#isCertainlyPac': pac.isCertainlyPac,
  'shared/row/pac.ts#codeFamily': pac.codeFamily,
  'shared/row/pac.ts#parsePac': (text) => pac.parsePac(text, '447700900123' as never),
  'shared/row/pac.ts#parseLonePac': (text) => pac.parseLonePac(text, '44'),
  'shared/row/redact.ts#redactText': redacting.redactText,
  'shared/row/redact.ts#redactName': redacting.redactName,
  'shared/row/redact.ts#plainName': redacting.plainName,
  'shared/row/redact.ts#redact': (text) => redacting.redact({ text }),
  'shared/row/redact.ts#redactSecrets': (text) => redacting.redactSecrets({ text }, ['ABC123456']),
  'shared/row/redact.ts#maskCodes': (text) => redacting.maskCodes(text, ['ABC123456']),
  'shared/row/redact.ts#codeMask': (text) => redacting.codeMask([text.slice(0, 9), 'ABC123456'])(text),
  'shared/row/redact.ts#maskQuotedCodes': (text) => redacting.maskQuotedCodes(text, 'msisdn'),
  'shared/files/added-columns.ts#findCorrectionMark': (text) => addedColumns.findCorrectionMark([text]),
  'shared/files/added-columns.ts#ownColumns': (text) => addedColumns.ownColumns([text]),
  'shared/files/added-columns.ts#createUnguard': (text) =>
    addedColumns.createUnguard({ header: [text], columnIndexes: {} })([text]),
  'shared/files/added-columns.ts#correctionColumnsBeside': (text) => addedColumns.correctionColumnsBeside([text]),
  'shared/files/added-columns.ts#addedColumns': (text) => addedColumns.addedColumns([text], [text]),
  'shared/files/added-columns.ts#distinctNames': (text) => addedColumns.distinctNames([text, text]),
  'shared/files/column-values.ts#isValue': columnValues.isValue,
  'shared/files/column-values.ts#isPlaceholder': columnValues.isPlaceholder,
  'shared/files/column-values.ts#describeValues': (text) => columnValues.describeValues([[text]], 0),
  'shared/files/column-values.ts#hasValuesOf': (text) =>
    columnValues.hasValuesOf({ valueKind: 'msisdn', isDate: true }, [[text]], 0),
  'shared/files/column-values.ts#valuesOf': (text) => columnValues.valuesOf([[text]], 0),
  'shared/files/csv/csv-row.ts#csvHeader': (text) => csvRow.csvHeader([text], ','),
  'shared/files/csv/csv-row.ts#csvRow': (text) => csvRow.csvRow([text]),
  'shared/files/csv/csv-row.ts#guardFormula': csvRow.guardFormula,
  'shared/files/csv/batch-builder.ts#breaksWithin': (text) => breaksWithin([text]),
  'shared/files/csv/batch-builder.ts#textOfCells': (text) => textOfCells([text]),
  'shared/files/csv/csv-row.ts#unguardFormula': csvRow.unguardFormula,
  'shared/files/csv/csv-row.ts#writtenText': csvRow.writtenText,
  'shared/files/csv/csv-row.ts#writtenMessage': csvRow.writtenMessage,
  'shared/files/csv/csv-row.ts#columnOf': csvRow.columnOf,
  'shared/files/csv/decode-text.ts#lineBreaksIn': lineBreaksIn,
  'shared/files/csv/decode-text.ts#linesOf': linesOf,
  'shared/files/csv/parse-record.ts#parseRecord': (text) => parseRecord(Buffer.from(text), ','),
  'shared/files/csv/parse-record.ts#quoteProblem': (text) => quoteProblem(Buffer.from(text), ','),
  'shared/files/csv/record-scanner.ts#openQuoteLine': (text) => openQuoteLine(Buffer.from(text), ',', 1),
  'shared/files/header-words.ts#normalizeName': headerWords.normalizeName,
  'shared/files/header-words.ts#withoutHint': headerWords.withoutHint,
  'shared/files/header-words.ts#wordsOf': headerWords.wordsOf,
  'shared/files/header-words.ts#createFindCells': (text) => headerWords.createFindCells([text])(text),
  'shared/files/header-words.ts#distinctNamesForMap': (text) => headerWords.distinctNamesForMap([text, text]),
  'shared/files/header-words.ts#nameOf': (text) =>
    headerWords.nameOf(text, headerWords.canonicalNames(createPort.columns)),
  'shared/files/header-words.ts#createSecondHeaderTest': (text) =>
    headerWords.createSecondHeaderTest([text], createPort.columns)([text]),
  'shared/files/map-header.ts#columnIndexesOf': (text) => columnIndexesOf([text], createPort.columns, { [text]: text }),
  'shared/files/map-header.ts#mapHeader': (text) =>
    mapHeader([text, 'msisdn'], createPort.columns, { mapping: { [text]: 'pac', x: text }, samples: [[text, text]] }),
  'shared/files/map-header.ts#secretDefault': secretDefault,
  'the test for a header': (text) => headerWords.createHeaderTest(createPort.columns)([text]),
  'shared/files/open-upload.ts#headerIdOf': (text) => headerIdOf('create-port', [text]),
  'shared/files/secret-columns.ts#isNamedForCodes': secretColumns.isNamedForCodes,
  'shared/files/secret-columns.ts#namesReference': secretColumns.namesReference,
  'shared/files/secret-columns.ts#findKeptColumns': (text) =>
    secretColumns.findKeptColumns({ header: [text, 'note'], columnIndexes: {} }),
  'shared/files/secret-columns.ts#findSecretColumns': (text) =>
    secretColumns.findSecretColumns({ header: [text, 'note'], columnIndexes: {} }, [[text, text]]),
  'shared/files/upload-settings.ts#readSeparator': readSeparator,
  'shared/files/workbook/cell-text.ts#unescapeText': unescapeText,
  'shared/files/workbook/cell-text.ts#isOff': isOff,
  'shared/files/workbook/cell-text.ts#readCellStyles': (text) => readCellStyles(once(text)),
  'shared/files/workbook/parse-xml.ts#parseWholeXml': (text) =>
    parseWholeXml(once(text), { open: (_, attribute) => void attribute('t'), text: () => {} }),
  'shared/files/workbook/sheet-rows.ts#findMergedCells': (text) => findMergedCells(once(text)),
  'shared/files/workbook/write-workbook.ts#listSheetXml': (text) => listSheetXml([[text]]),
  'shared/operations/columns/named-items.ts#sharedBy': (text) => namedItems.sharedBy(text, [{ number: 1, name: text }]),
  'shared/operations/columns/named-items.ts#findNamed': (text) =>
    namedItems.findNamed(text, options, ({ name }) => [name]),
  'shared/operations/columns/named-items.ts#findOption': (text) => namedItems.findOption(text, options),
  'shared/operations/columns/named-items.ts#chooseOption': (text) =>
    namedItems.chooseOption(text, options, kind, cellsOf(text)),
  'shared/operations/columns/named-items.ts#semicolonHint': (text) => namedItems.semicolonHint(text, 'bolt-ons'),
  'shared/operations/columns/named-items.ts#reportUnknown': (text) =>
    namedItems.reportUnknown(text, options, kind, cellsOf(text)),
  'shared/operations/columns/named-items.ts#unknownValue': (text) =>
    namedItems.unknownValue(
      { column: 'tariff', code: 'TARIFF_UNKNOWN' },
      text,
      text,
      new cellReader.CellReader(() => text),
    ),
  'shared/operations/columns/named-items.ts#candidatesOf': (text) => namedItems.candidatesOf(text, options),
  'shared/operations/columns/cell-reader.ts#trimmedText': (text) =>
    cellReader.trimmedText(text, { name: 'x', isText: true }, 'others'),
  'shared/operations/columns/cell-reader.ts#readCell': (text) => cellReader.readCell(text, { name: 'x', isDate: true }),
  'shared/operations/columns/cell-reader.ts#repairCell': (text) =>
    cellReader.repairCell(text, { name: 'x', isDate: true, hasTime: true }, { zone: 'Europe/London' }),
  'shared/operations/columns/option-cells.ts#meaningOf': meaningOf,
  'shared/operations/columns/option-cells.ts#isCross': isCross,
  'shared/operations/columns/option-cells.ts#isTick': isTick,
  'shared/operations/columns/option-cells.ts#withOptions': (text) =>
    withOptions(text, [{ index: 0, header: text, column: 'services', yes: 'on' }], () => text),
  'shared/operations/columns/option-columns.ts#isOptionTarget': (text) => isOptionTarget(text, createPort.columns),
  'shared/operations/columns/option-columns.ts#readHeader': (text) =>
    readHeader([text, 'msisdn'], createPort.columns, { samples: [[text]] }, catalogue),
  'shared/text/first-bytes.ts#detectArchive': (text) => detectArchive(once(text)),
  'shared/text/first-bytes.ts#readAtMost': (text) => readAtMost(once(text), 1_000),
  'shared/text/identity.ts#tokenOfPortName': tokenOfPortName,
  'shared/text/identity.ts#withoutToken': withoutToken,
  'shared/text/stored-values.ts#parseJson': parseJson,
  'shared/text/wording.ts#truncate': (text) => truncate(text, 100),
  'shared/text/wording.ts#oneLine': oneLine,
  'shared/text/wording.ts#columnLabel': columnLabel,
  'shared/results/findings.ts#messageForPage': messageForPage,
  'shared/results/mask-cells.ts#maskHeader': (text) => maskHeader([text]),
  'shared/results/mask-cells.ts#createCellMask': (text) =>
    createCellMask({ header: ['msisdn', 'pac', 'note'], columnIndexes: { msisdn: 0, pac: 1 } }, [[text, text, text]])(
      [text, 'ABC123456', text],
      'rejected',
    ),
  'shared/service/classify-response.ts#readDecline': (text) => readDecline(text, ['ABC123456']),
  'shared/service/service-texts.ts#codesIn': codesIn,
  'shared/service/service-texts.ts#serviceText': (text) => serviceText(text, ['ABC123456']),
  'shared/service/service-texts.ts#serviceAddress': (text) => serviceAddress('baseUrl', text),
  'shared/store/search-number.ts#containsNumber': (text) => containsNumber(once(text), mentions, openArchive),
  'shared/store/search-number.ts#withoutMentions': (text) => withoutMentions({ text }, mentions),
  'a search in pieces': (text) => {
    const search = createMentionSearch(mentions);
    for (let at = 0; at < text.length; at += 4_000) search.add(text.slice(at, at + 4_000));
  },
  'the records without a number': (text) => createRecordFilter(mentions, 'csv').add(text),
  'the metadata of an upload': (text) =>
    readUploadSettings({
      map: text,
      means: text,
      sheet: text,
      tolerate: text,
      dates: text,
      'set-tariff': text,
      [text]: text,
    }),
  'settings as metadata': (text) => {
    const meanings = { tariff: { [text]: text } };
    const settings = { defaults: { tariff: text }, mapping: { [text]: text }, meanings, layout: { sheet: text } };
    return [findLongSettings(settings), toUploadMetadata(settings)];
  },
  'a cursor': (text) => decodeCursor({ safeParse: () => ({ success: true }) } as never, text),
  'console/screens/review/edits.ts#parsePasted': parsePasted,
};

/** Each character is measured, so texts are short. */
export const terminalReaders: Readonly<Record<string, (text: string) => unknown>> = {
  'cli/output/text.ts#plain': terminal.plain,
  'cli/output/text.ts#painted': terminal.painted,
  'cli/output/text.ts#displayWidth': terminal.displayWidth,
  'cli/output/text.ts#truncate': (text) => terminal.truncate(text, 80),
  'cli/output/text.ts#breakAnywhere': (text) => terminal.breakAnywhere(text, 80),
  'cli/output/text.ts#wrap': (text) => terminal.wrap(text, 80),
  'cli/output/text.ts#pad': (text) => terminal.pad(text, 80),
  'cli/output/text.ts#shellQuoted': terminal.shellQuoted,
};

const throughFiles = 'a file is read with it';
const throughCells = 'a column is read with it';
const ownText = 'takes texts of the product only';

/** Functions that take a text and need no entry of their own. */
export const readElsewhere: Readonly<Record<string, string>> = {
  'shared/files/added-columns.ts#originalLine': throughFiles,
  'shared/files/csv/decode-text.ts#decodeText': throughFiles,
  'shared/files/csv/decode-text.ts#endOf': throughFiles,
  'shared/files/csv/read-csv.ts#readCsv': throughFiles,
  'shared/files/open-upload.ts#detectHeader': throughFiles,
  'shared/files/open-upload.ts#openUpload': throughFiles,
  'shared/files/workbook/join-sheets.ts#sheetNotices': throughFiles,
  'shared/files/workbook/open-archive.ts#openArchive': throughFiles,
  'shared/files/workbook/parse-xml.ts#parseXml': throughFiles,
  'shared/files/workbook/read-workbook.ts#readWorkbook': throughFiles,
  'shared/files/workbook/sheet-rows.ts#readSheetRows': throughFiles,
  'shared/store/search-number.ts#decodedTexts': 'containsNumber reads with it',
  'shared/operations/columns/sim-row.ts#readMsisdn': throughCells,
  'shared/operations/columns/sim-row.ts#uniqueMsisdn': throughCells,
  'shared/operations/columns/sim-row.ts#likelyCountry': throughCells,
  'shared/operations/columns/sim-row.ts#simInFile': throughCells,
  'shared/operations/columns/sim-row.ts#uniqueIccid': throughCells,
  'shared/operations/columns/tariff-and-services.ts#findOrderNumber': throughCells,
  'shared/row/calendar-date.ts#isDayForm': 'reads ten characters',
  'shared/row/msisdn.ts#isSeparating': 'reads one character',
  'shared/row/cell.ts#hasForm': 'reads as many characters as the form has',
  'shared/row/cell.ts#numberAt': 'reads as many characters as it is told',
  'shared/row/cell.ts#digitsOf': throughCells,
  'shared/row/numbering-plan.ts#isMobile': 'takes the digits of a number that was read',
  'shared/row/numbering-plan.ts#isUnassigned': 'takes the digits of a number that was read',
  'shared/row/numbering-plan.ts#callingCodeOf': 'takes the digits of a number that was read',
  'shared/row/pac.ts#rioKey': 'takes the characters of a code that was read',
  ...Object.fromEntries(
    [
      'shared/files/workbook/open-archive.ts#invalidWorkbook',
      'shared/files/workbook/open-archive.ts#rejectWorkbook',
      'shared/files/workbook/open-archive.ts#fileTooLarge',
      'shared/operations/columns/sim-row.ts#accept',
      'shared/operations/columns/sim-row.ts#reportEmpty',
      'shared/operations/columns/sim-row.ts#checkSerialNumber',
      'shared/row/booking-window.ts#cancellationDeadline',
      'shared/row/booking-window.ts#mayLockFrom',
      'shared/row/calendar-date.ts#dateInZone',
      'shared/row/calendar-date.ts#instantOf',
      'shared/row/calendar-date.ts#utcOffset',
      'shared/row/cell.ts#separatorsOf',
      'shared/row/issue.ts#error',
      'shared/row/issue.ts#warning',
      'shared/row/issue.ts#notice',
      'shared/row/issue.ts#errorAt',
      'shared/row/msisdn.ts#formatMsisdn',
      'shared/row/numbering-plan.ts#planOf',
      'shared/service/classify-response.ts#unreadable',
      'shared/service/service-texts.ts#isSimulator',
      'shared/service/service-texts.ts#addressUnder',
      'shared/store/search-number.ts#mentionsOf',
      'shared/text/identity.ts#reschedulingId',
      'shared/text/identity.ts#adoptionId',
      'shared/text/identity.ts#requestToken',
      'shared/text/identity.ts#portName',
      'shared/text/stored-values.ts#shardOf',
      'shared/text/identity.ts#accountNumber',
      'shared/text/wording.ts#counted',
      'shared/text/wording.ts#describeAccount',
      'cli/output/text.ts#formatInstant',
    ].map((name) => [name, ownText]),
  ),
  'console/screens/review/edits.ts#spread': 'repeats a cell, and reads none',
};

/** Reads the whole file as ingest does. */
async function readFile(bytes: Buffer, rows: 'all' | 'first'): Promise<void> {
  const opened = await openUpload(once(bytes), { rows });
  if (!opened.ok) return;
  for await (const { lines, cellsOf } of opened.value.batches) for (const row of lines.keys()) cellsOf(row);
}

const csvReader =
  (contentOf: (text: string) => string): PrepareRead =>
  (text) => {
    const bytes = Buffer.from(contentOf(text));
    return () => readFile(bytes, 'all');
  };

const rows = [Object.keys(validCells), Object.values(validCells)];
const workbookReader =
  (part: string, contentOf: (text: string) => string, read: 'all' | 'first' = 'first'): PrepareRead =>
  (text) => {
    const parts = [{ name: part, content: contentOf(text) }];
    const bytes = workbookFile([{ name: 'July', rows }], { parts, isStored: true });
    return () => readFile(bytes, read);
  };

const sheet = 'xl/worksheets/sheet1.xml';
const inRow = (xml: string): string =>
  `<worksheet xmlns="m"><sheetData><row r="1">${xml}</row></sheetData></worksheet>`;

/** What a file can have where, and how much of it is read. */
export const fileReaders: Readonly<Record<string, PrepareRead>> = {
  'a CSV': csvReader((text) => text),
  'a title of a CSV': csvReader((text) => `msisdn,${text}\n07700900123,a\n`),
  'a cell of a CSV': csvReader((text) => `msisdn,note\n07700900123,${text}\n07700900124,a\n`),
  'the header of a CSV, detected': (text) => () =>
    detectHeader(once(`${text}\nmsisdn,pac\n1,2\n`), createPort, () => {}),
  'the first rows of a workbook': workbookReader(sheet, (text) => `<worksheet><sheetData><row r="1">${text}`),
  'a cell of a workbook': workbookReader(
    sheet,
    (text) => inRow(`<c r="A1" t="inlineStr"><is><t>${text}</t></is></c>`),
    'all',
  ),
  'all rows of a workbook': workbookReader(sheet, (text) => inRow(text), 'all'),
  'the shared texts of a workbook': workbookReader(
    'xl/sharedStrings.xml',
    (text) => `<sst xmlns="m"><si>${text}</si></sst>`,
    'all',
  ),
  'the styles of a workbook': workbookReader('xl/styles.xml', (text) => `<styleSheet xmlns="m">${text}</styleSheet>`),
  'the names of the sheets of a workbook': workbookReader(
    'xl/workbook.xml',
    (text) => `<workbook xmlns="m"><sheets><sheet name="${text}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ),
  'a number in a workbook': (text) => {
    const parts = [{ name: sheet, content: inRow(text) }];
    const bytes = workbookFile([{ name: 'July', rows }], { parts, isStored: true });
    return () => containsNumber(once(bytes), mentions, openArchive);
  },
};

/** Each column of each operation, in a row whose other cells are valid. */
export const columnReaders: Readonly<Record<string, (text: string) => unknown>> = Object.fromEntries(
  [...operations.values()].flatMap((operation) => operation.columns.map(({ name }) => columnReader(operation, name))),
);

function columnReader(operation: Operation, name: string): [string, (text: string) => Promise<unknown>] {
  const valid = operation === createPort ? validCells : (validTicketRows.get(operation.name)?.[0] ?? {});
  const columns = operation.columns.map((column) => column.name);
  const indexes = new Map(columns.map((column, index) => [column, index]));
  const context = rowsContext();
  const reader = new RowReader(operation, { indexes, defaults: new Map(), options: [] }, context);
  const read = async (text: string) => {
    const cells: Readonly<Record<string, string>> = { ...valid, [name]: text };
    reader.startRow((_, index) => cells[columns[index] ?? ''] ?? '', 0);
    return reader.validateRow(2, await reader.validateShape());
  };
  return [`${operation.name} ${name}`, read];
}

/** The queries and bodies of the API: a text where any member may have one. */
export const endpointReaders: Readonly<Record<string, (text: string) => unknown>> = Object.fromEntries(
  Object.entries({ ...readEndpoints, ...writeEndpoints }).flatMap(([name, { description }]) => {
    const { path, query, body }: Description['accepts'] = description.accepts;
    const schemas = [path, query, body].filter((schema) => schema !== undefined);
    const read = (text: string) => {
      for (const schema of schemas) {
        const members = 'shape' in schema ? Object.keys(schema.shape as object) : [];
        for (const value of [text, [text], { [text]: text }, [{ [text]: text }]]) {
          schema.safeParse(Object.fromEntries(members.map((member) => [member, value])));
        }
      }
    };
    return schemas.length === 0 ? [] : [[name, read]];
  }),
);
