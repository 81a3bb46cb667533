import { readFileSync } from "node:fs";
import { join } from "node:path";
import { goYamlText, readGoYamlValue, YamlError } from "@capstan/kube-values/yaml";
import { describe, expect, it } from "vitest";

/** Written by sigs.k8s.io/yaml 1.6.0 with Go 1.26. */
const cases = JSON.parse(readFileSync(join(import.meta.dirname, "golden/go-yaml.json"), "utf8")) as {
  readonly write: readonly { readonly value: unknown; readonly text: string }[];
  readonly read: readonly { readonly text: string; readonly value: unknown; readonly fails?: true }[];
};

describe("a value is written as Go writes it", () => {
  it.each(cases.write)("$value", ({ text, value }) => {
    expect(`${goYamlText(value)}\n`).toBe(text);
  });
});

describe("a text is read as Go reads it", () => {
  it.each(cases.read.filter(({ fails }) => fails !== true))("$text", ({ text, value }) => {
    expect(readGoYamlValue(text) ?? null).toEqual(value);
  });

  it.each(cases.read.filter(({ fails }) => fails === true))("refuses $text", ({ text }) => {
    expect(() => readGoYamlValue(text)).toThrow(YamlError);
  });
});
