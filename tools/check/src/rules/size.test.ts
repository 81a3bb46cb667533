import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { sizeRule } from "./size.ts";

const lines = (count: number): string => Array.from({ length: count }, () => "//").join("\n");
const withFile = (path: string, text: string) => ({
  ...packageFiles("packages/kube"),
  [`packages/kube/${path}`]: text,
});

describe("size", () => {
  it.each([
    ["400 lines", "src/a.ts", `${lines(400)}\n`],
    ["a long table of data", "src/data/types.ts", lines(401)],
    ["a name with a word in it", "src/user-utils.ts", ""],
  ])("accepts %s", (_, path, text) => {
    expect(findingsOf(sizeRule, withFile(path, text))).toEqual([]);
  });

  it("finds a file of 401 lines, also a test", () => {
    expect(findingsOf(sizeRule, withFile("src/a.test.ts", lines(401)))).toEqual([
      "packages/kube/src/a.test.ts: 401 lines, more than 400: split it by concern",
    ]);
  });

  it.each(["util", "utils", "helper", "helpers", "common", "misc"])("finds the name %s.ts", (name) => {
    expect(findingsOf(sizeRule, withFile(`src/${name}.ts`, ""))).toEqual([
      `packages/kube/src/${name}.ts: the name says nothing; name it after what it holds`,
    ]);
  });
});
