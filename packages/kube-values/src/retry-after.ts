/**
 * Milliseconds of a `Retry-After` header, given in seconds or as an HTTP date; `undefined` when it is absent or cannot be read. `now` is
 * of the clock that a date refers to; where no one knows it (NaN), dates cannot be read.
 */
export const retryAfterMs = (header: string | readonly string[] | undefined, now: number): number | undefined => {
  const text = [header].flat()[0]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const waitMs = text === "" ? Number.NaN : Date.parse(text) - now;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
};
