import { describe, expect, it } from "vitest";
import { deferredVariablesOf, substituteVariables, variablesOf } from "./variables.ts";

const values: Readonly<Record<string, string>> = { A: "1" };
const substitute = (text: string): string => substituteVariables(text, (name) => values[name], "file.yaml");

describe("substituteVariables", () => {
  it("names every missing variable with its line", () => {
    expect(() => substitute("a: ${A}\nb: ${B}\nc: ${C} ${B}\n")).toThrow(
      "file.yaml: no value for B (line 2), C (line 3); set it in the environment; --simulate sets the credentials of its cloud alone",
    );
  });

  it.each([
    ["echo ${#list[@]}", "file.yaml:2: ${#list[@]} is not a valid clusterctl variable: a } is missing"],
    ["echo ${", "file.yaml:2: ${ is not a valid clusterctl variable: a name is missing"],
    ["echo ${A-x}", "file.yaml:2: ${A-x} is not a valid clusterctl variable: a } is missing"],
    ["echo ${A:=x", "file.yaml:2: ${A:=x is not a valid clusterctl variable: it is not closed"],
    ["echo ${A/x}", "file.yaml:2: ${A/x} is not a valid clusterctl variable: a / is missing after the pattern"],
    ["echo ${A:0:-1}", "file.yaml:2: ${A:0:-1} is not a valid clusterctl variable: the length -1 is negative"],
  ])("says of %s where and why", (text, message) => {
    expect(() => substitute(`- \${A}\n- ${text}\n`)).toThrow(
      `${message}; fix it, or write $$ for a literal dollar sign`,
    );
  });
});

describe("the variables of a text", () => {
  const text = 'a: ${B:=x ${C}} ${A} $${LEFT:=d ${A}} ${C:-2}\nb: ${B} $${ALSO}\n${D=""}';

  it("are listed by name, with their defaults", () => {
    expect(variablesOf(text, "file.yaml")).toEqual([
      { name: "A", fallback: undefined },
      { name: "B", fallback: "x ${C}" },
      { name: "C", fallback: "2" },
      { name: "D", fallback: "" },
    ]);
  });

  it("that are left to the next reader are listed by themselves", () => {
    expect(deferredVariablesOf(text, "file.yaml")).toEqual([
      { name: "ALSO", fallback: undefined },
      { name: "LEFT", fallback: "d " },
    ]);
  });
});
