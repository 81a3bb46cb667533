import { CapstanError, isCapstanError } from "@capstan/contract";
import { longestWaitMs } from "../gate/rate-bucket.ts";

const inWords = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
};

/** The failure with a wait that is not longer than the longest, which its message then says. */
export const withBoundedWait = (error: unknown): unknown => {
  if (!isCapstanError(error) || error.retry.kind !== "after" || error.retry.ms <= longestWaitMs) return error;
  const { code, details, message, reason, retry } = error;
  const asked = Number.isFinite(retry.ms) ? `wait ${inWords(retry.ms)}` : "wait forever";
  return new CapstanError({
    code,
    reason,
    details,
    message: `${message}; it asks to ${asked}; retrying after ${inWords(longestWaitMs)}`,
    retry: { ...retry, ms: longestWaitMs },
    cause: error,
  });
};
