import { describe, expect, it } from "vitest";
import { deferredVariablesOf, substituteVariables, variablesOf } from "./variables.ts";

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
    ['${B:-"https://h"}', '"https://h"'],
    ['port: ${B:="6443"}', 'port: "6443"'],
    ["${B:=${A}}", "1"],
    ['${B:=""}', '""'],
    ["$${A}", "${A}"],
    ["${#a[@]} $A $(x)", "${#a[@]} $A $(x)"],
  ])("%s becomes %s", (text, expected) => expect(substitute(text)).toBe(expected));

  it("names every missing variable with its line", () => {
    expect(() => substitute("a: ${A}\nb: ${B}\nc: ${C} ${B}\n")).toThrow(
      "file.yaml: no value for B (line 2), C (line 3); set it in the environment; --simulate gives credentials of its cloud",
    );
  });
});

describe("the variables of a text", () => {
  const text = 'a: ${B:=x ${C}} ${A} $${LEFT:=d ${A}} ${C:-2}\nb: ${B} $${ALSO}\n${D=""}';

  it("are listed by name, with their defaults", () => {
    expect(variablesOf(text)).toEqual([
      { name: "A", fallback: undefined },
      { name: "B", fallback: "x ${C}" },
      { name: "C", fallback: "2" },
      { name: "D", fallback: "" },
    ]);
  });

  it("that are left to the next reader are listed by themselves", () => {
    expect(deferredVariablesOf(text)).toEqual([
      { name: "ALSO", fallback: undefined },
      { name: "LEFT", fallback: "d " },
    ]);
  });
});
