import { CapstanError, isCapstanError } from "@capstan/contract";

/** However long a cloud or a store asks to be left alone, it is tried again after this time. */
const longestWaitMs = 600_000;

const inWords = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
};

/** The failure with a wait that is not longer than the longest, which its message then says. */
export const withBoundedWait = (error: unknown): unknown => {
  if (!isCapstanError(error) || error.retry.kind !== "after" || error.retry.ms <= longestWaitMs) return error;
  const { code, details, message, reason, retry } = error;
  const asked = Number.isFinite(retry.ms) ? `wait ${inWords(retry.ms)}` : "wait for ever";
  return new CapstanError({
    code,
    reason,
    details,
    message: `${message}; it asks to ${asked}, and is tried again after ${inWords(longestWaitMs)}`,
    retry: { ...retry, ms: longestWaitMs },
    cause: error,
  });
};
