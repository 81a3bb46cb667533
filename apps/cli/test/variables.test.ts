import { describe, expect, it } from "vitest";
import { substituteVariables } from "../src/manifest/variables.ts";
import { refusedTexts, substitutedTexts, unsetTexts, variableValues } from "./clusterctl-variables.ts";

const substitute = (text: string): string => substituteVariables(text, (name) => variableValues[name], "file.yaml");

describe("variables, as clusterctl has them", () => {
  it.each(substitutedTexts)("%s becomes %s", (text, outcome) => expect(substitute(`<${text}>`)).toBe(`<${outcome}>`));

  it.each(unsetTexts)("%s has no value", (text) =>
    expect(() => substitute(text)).toThrow(expect.objectContaining({ code: "manifest.variable_missing" })),
  );

  it.each(refusedTexts)("%s is none", (text) =>
    expect(() => substitute(text)).toThrow(expect.objectContaining({ code: "manifest.variable_invalid" })),
  );
});
