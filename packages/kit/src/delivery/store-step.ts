import { CapstanError, isCapstanError } from "@capstan/contract";

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

/** Runs one call; a failure that has no name yet is given one. */
export const step = async <T>(code: string, reason: string, doing: string, run: () => T | Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (isAbort(error) || isCapstanError(error)) throw error;
    throw new CapstanError({ code, reason, message: `could not ${doing}`, cause: error });
  }
};
