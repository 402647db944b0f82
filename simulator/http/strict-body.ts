// Strict mode: what the spec does not describe is rejected with its place, instead of ignored.
import * as z from 'zod';
import { malformedRequest, Problem } from './problem.ts';

type Path = readonly (string | number)[];
interface Issue {
  readonly path: Path;
  readonly message: string;
}

/** @throws Problem 415 */
export function checkStrictContentType(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() === 'application/json' && isUtf8) return;
  const message = `The content type must be application/json;charset=UTF-8, not "${contentType ?? ''}".`;
  throw new Problem(415, message, { errors: [{ field: 'content-type', message: 'expected application/json' }] });
}

/** Parsing keeps the known fields only, so whatever is missing afterwards was not known. */
function unknownFields(given: unknown, parsed: unknown, path: Path): Issue[] {
  if (Array.isArray(given) && Array.isArray(parsed)) {
    return given.flatMap((each, index) => unknownFields(each, parsed[index], [...path, index]));
  }
  if (typeof given !== 'object' || given === null || typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(given).flatMap(([name, value]) =>
    Object.hasOwn(parsed, name)
      ? unknownFields(value, (parsed as Record<string, unknown>)[name], [...path, name])
      : [{ path: [...path, name], message: 'is not a field of this request' }],
  );
}

const dateFields = new Set(['connectionDate', 'startDate', 'endDate']);
const nameFields = new Set([
  'name',
  'groupName',
  'provisioningOrderName',
  'newProvisioningOrderName',
  'Name',
  'zone',
  'bundlePeriod',
]);

const wholeDate = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

function fieldIssues(name: string, value: unknown, path: Path): Issue[] {
  if (typeof value !== 'string') return [];
  if (nameFields.has(name) && value.trim() === '') return [{ path, message: 'must not be blank' }];
  if (dateFields.has(name) && !wholeDate.safeParse(value).success) {
    return [{ path, message: 'expected a date-time that exists, as 2026-07-08T00:00:00' }];
  }
  return [];
}

function valueIssues(value: unknown, path: Path): Issue[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...path, Array.isArray(value) ? Number(name) : name];
    return [...fieldIssues(name, inner, place), ...valueIssues(inner, place)];
  });
}

/** @throws Problem 400 that names every unknown field, blank name and date-time that does not exist */
export function checkStrictBody(given: unknown, parsed: unknown): void {
  const issues = [...unknownFields(given, parsed, []), ...valueIssues(parsed, [])];
  if (issues.length > 0) throw malformedRequest(issues, 'body');
}
