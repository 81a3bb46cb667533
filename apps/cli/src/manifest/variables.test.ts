import { describe, expect, it } from "vitest";
import { substituteVariables } from "./variables.ts";

const values: Readonly<Record<string, string>> = { A: "1", EMPTY: "" };
const substitute = (text: string): string => substituteVariables(text, (name) => values[name], "file.yaml");

describe("substituteVariables", () => {
  it.each([
    ["a: ${A}", "a: 1"],
    ["a: ${ A }", "a: 1"],
    ["${B:=x}", "x"],
    ["${B=x}", "x"],
    ["${B:-x y}", "x y"],
    ["${EMPTY:=x}", "x"],
    ["${EMPTY=x}", ""],
    ["${EMPTY}", ""],
    ['${B:-"https://h"}', "https://h"],
    ["${B:=${A}}", "1"],
    ['${B:=""}', ""],
    ["$${A}", "${A}"],
    ["${#a[@]} $A $(x)", "${#a[@]} $A $(x)"],
  ])("%s becomes %s", (text, expected) => expect(substitute(text)).toBe(expected));

  it("names every missing variable with its line", () => {
    expect(() => substitute("a: ${A}\nb: ${B}\nc: ${C} ${B}\n")).toThrow(
      "file.yaml: no value for B (line 2), C (line 3); set it in the environment, or run with --simulate",
    );
  });
});
