import { isNotFound } from "@capstan/linode-client";
import { translate } from "./errors.ts";
import type { SpecFields } from "./spec-fields.ts";

/** Runs one call of the client; failures are translated. `doing` completes "could not …"; `fields` say what the request was made from. */
export const run = async <T>(doing: string, work: () => Promise<T>, fields?: SpecFields): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw translate(error, doing, fields);
  }
};

/** As `run`; what is missing is `undefined`. */
export const find = <T>(doing: string, work: () => Promise<T>): Promise<T | undefined> =>
  run(doing, async () => {
    try {
      return await work();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  });

/** As `run`, for calls whose answer is of no use. */
export const done = async (doing: string, work: () => Promise<unknown>, fields?: SpecFields): Promise<void> => {
  await run(doing, work, fields);
};

/** As `done`; already gone is success. */
export const gone = async (doing: string, work: () => Promise<void>): Promise<void> => {
  await find(doing, work);
};
