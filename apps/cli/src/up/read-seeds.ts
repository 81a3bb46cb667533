import { readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import { parse } from "yaml";

/** Reads the files of `--seed`, YAML or JSON, by the names of clouds. Throws `up.seed_unreadable`. */
export const readSeeds = (files: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(files).map(([cloud, file]) => {
      try {
        return [cloud, parse(readFileSync(file, "utf8")) as unknown];
      } catch (error) {
        throw new CapstanError({
          code: "up.seed_unreadable",
          reason: "SeedUnreadable",
          message: `--seed ${cloud}=${file}: ${(error as Error).message}; name a YAML or JSON file`,
          retry: { kind: "never" },
          cause: error,
        });
      }
    }),
  );
