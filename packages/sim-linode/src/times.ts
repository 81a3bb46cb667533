/** The API writes times in UTC without a zone. */
export const apiTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
