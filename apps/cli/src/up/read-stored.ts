import { existsSync, readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";

/** Reads a JSON file that `capstan up` keeps in its folder; `undefined` when it is not there. Throws `up.data_file_damaged`. */
export const readStored = <T>(file: string): T | undefined => {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CapstanError({
      code: "up.data_file_damaged",
      reason: "DataFileDamaged",
      message: `${file} is not valid JSON; delete it and rerun capstan up with the same flags to recreate it`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};
