import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { createProgram } from "../src/program.ts";

/**
 * Paths of upstream's published templates for a cloud: in the folder that `<CLOUD>_TEMPLATES` names, or in `data/manifests/<cloud>` of a
 * folder beside the repository. None are part of it; where there are none, a line says so.
 */
export const upstreamTemplates = (cloud: string): readonly string[] => {
  const variable = `${cloud.toUpperCase()}_TEMPLATES`;
  const beside = join(import.meta.dirname, "../../../..");
  const folder =
    process.env[variable] ??
    readdirSync(beside)
      .map((each) => join(beside, each, "data/manifests", cloud))
      .find((each) => existsSync(each));
  const files = folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  if (files.length === 0) {
    console.log(`upstream's templates for ${cloud} are skipped: ${variable} names no folder that has them`);
  }
  return files.map((file) => join(folder ?? "", file));
};

interface Wanted {
  readonly version: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What `capstan generate cluster orchid --from FILE` makes of a template, with two workers, as text for `apply`. */
export const generated = async (file: string, { version, variables }: Wanted): Promise<string> => {
  let said = "";
  const program = createProgram({ write: (text) => void (said += text), writeError: (text) => void (said += text) });
  const values = Object.entries(variables).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
  const wanted = ["--from", file, "--kubernetes-version", version, "--workers", "2", ...values];
  expect(await program.run(["generate", "cluster", "orchid", ...wanted]), said).toBe(0);
  // What is left are variables of shells: kubectl would leave them as they are, capstan up is told to.
  return said.replaceAll("${", () => "$${");
};
