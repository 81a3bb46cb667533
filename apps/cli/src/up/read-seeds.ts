import { readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import { readYamlValue } from "@capstan/kube-values/yaml";
import { whyUnreadable } from "../file-words.ts";

/** Lines and separators of the largest file. */
const largestMarks = 200_000;

/** Reads a file of `--seed`, YAML or JSON; `said` is what the flag said. Throws `up.seed_unreadable`. */
export const readSeed = (file: string, said: string): unknown => {
  try {
    return readYamlValue(readFileSync(file, "utf8"), { marks: largestMarks });
  } catch (error) {
    throw new CapstanError({
      code: "up.seed_unreadable",
      reason: "SeedUnreadable",
      message: `--seed ${said}: ${whyUnreadable(error)}; name a YAML or JSON file`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};

/** Reads the files of `--seed` by the names of clouds. Throws `up.seed_unreadable`. */
export const readSeeds = (files: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(files).map(([cloud, file]) => [cloud, readSeed(file, `${cloud}=${file}`)]));
