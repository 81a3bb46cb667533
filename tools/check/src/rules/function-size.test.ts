import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { functionSizeRule } from "./function-size.ts";

const inFile = (path: string, text: string) => ({
  ...packageFiles("packages/kube"),
  [`packages/kube/${path}`]: text,
});

/** A body of so many lines, braces included. */
const body = (lines: number): string => `{\n${"  run();\n".repeat(lines - 2)}}`;

const shapes: readonly (readonly [string, (lines: number) => string])[] = [
  ["function declaration", (lines) => `export function work() ${body(lines)}`],
  ["arrow function", (lines) => `export const work = async () => ${body(lines)};`],
  ["function expression", (lines) => `export const work = function () ${body(lines)};`],
  ["method", (lines) => `class Work {\n  run() ${body(lines)}\n}`],
  ["getter of an object", (lines) => `export const work = {\n  get run() ${body(lines)},\n};`],
];

describe("function-size", () => {
  it.each(shapes)("accepts 59 lines of a %s", (_, shape) => {
    expect(findingsOf(functionSizeRule, inFile("src/a.ts", `${shape(59)}\nconst rest = 1;\n`))).toEqual([]);
  });

  it.each(shapes)("finds 60 lines of a %s", (_, shape) => {
    expect(findingsOf(functionSizeRule, inFile("src/a.ts", shape(60)))).toEqual([
      expect.stringMatching(
        /^packages\/kube\/src\/a\.ts:[12]: a function of 60 lines, which must be under 60: split it by what it does$/,
      ),
    ]);
  });

  it("says where the function begins, and counts its own lines only", () => {
    const text = `const data = [\n${"  1,\n".repeat(100)}];\nconst short = () => ${body(3)};\nconst long = () => ${body(70)};\n`;
    expect(findingsOf(functionSizeRule, inFile("src/a.ts", text))).toEqual([
      "packages/kube/src/a.ts:106: a function of 70 lines, which must be under 60: split it by what it does",
    ]);
  });

  it("leaves tests alone", () => {
    expect(findingsOf(functionSizeRule, inFile("src/a.test.ts", `describe("a", () => ${body(90)});`))).toEqual([]);
  });
});
