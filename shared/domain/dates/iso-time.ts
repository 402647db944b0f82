/** Epoch milliseconds as ISO 8601 in UTC: texts of this form sort by time. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
