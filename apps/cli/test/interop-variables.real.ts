import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCapstanError } from "@capstan/contract";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { substituteVariables } from "../src/manifest/variables.ts";
import { refusedTexts, substitutedTexts, unsetTexts, variableValues } from "./clusterctl-variables.ts";

const assets = process.env["CAPI_ASSETS"] ?? "";

/** What we make of a text; `undefined` when we refuse it. */
const ownOutcome = (text: string): string | undefined => {
  try {
    return substituteVariables(text, (name) => variableValues[name], "file.yaml");
  } catch (error) {
    if (isCapstanError(error, "manifest.variable_invalid") || isCapstanError(error, "manifest.variable_missing")) {
      return undefined;
    }
    throw error;
  }
};

/** The text in a manifest, which clusterctl wants. */
const manifestOf = (text: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  text: |-\n    <${text}>\n`;

describe.skipIf(assets === "")("clusterctl", () => {
  const home = mkdtempSync(join(tmpdir(), "capstan-clusterctl-"));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** What clusterctl makes of a text; `undefined` when it refuses it. */
  const outcomeOf = (text: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      const env = { ...variableValues, HOME: home };
      const child = execFile(
        join(assets, "clusterctl"),
        ["generate", "yaml", "--from", "-"],
        { env },
        (error, output) => {
          const written = error === null ? (parse(output) as { data: { text: string } }).data.text : undefined;
          resolve(written?.slice(1, -1));
        },
      );
      child.stdin?.end(manifestOf(text));
    });

  const cases = [...substitutedTexts, ...[...unsetTexts, ...refusedTexts].map((text) => [text, undefined] as const)];

  it("makes the same of 300 texts made up of pieces of variables", async () => {
    const pieces =
      "$ { } ${ ${V ${U ${P V U ONE M : = - / // # ## % %% ^ ^^ , ,, e t * ? [ ] a-z \\ 0 1 + } } } $$ ß := :-".split(
        " ",
      );
    const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 });
    for (const each of fc.sample(text, { numRuns: 300, seed: 16 })) {
      const given = `\${${each.join("")}}`;
      expect(ownOutcome(given), given).toBe(await outcomeOf(given));
    }
  });

  it.each(cases)("makes of %s what the table says", async (text, outcome) => {
    expect(await outcomeOf(text)).toBe(outcome);
  });
});
