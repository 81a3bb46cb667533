import { describe, expect, it } from "vitest";
import { parseJsonPath } from "./json-path.ts";

const root = {
  metadata: { labels: { "a.b/c": "1", "it's": "2" } },
  list: [
    { type: "Ready", status: "True", n: 1, deep: { x: 1 } },
    { type: "Other", status: "False", n: 2 },
  ],
  numbers: [10, 20, 30],
  nothing: null,
};

describe("parseJsonPath", () => {
  it.each([
    [".metadata.labels.a\\.b/c", ["1"]],
    [".metadata.labels['a\\.b/c']", ["1"]],
    ['.metadata.labels["a.b/c"]', ["1"]],
    [".metadata.labels['it\\'s']", ["2"]],
    ["$.numbers[0]", [10]],
    [".numbers[-1]", [30]],
    [".numbers[5]", []],
    [".numbers[0,2]", [10, 30]],
    [".numbers[1:]", [20, 30]],
    [".numbers[0:3:2]", [10, 30]],
    [".numbers[*]", [10, 20, 30]],
    [".numbers.*", [10, 20, 30]],
    [".list[*].status", ["True", "False"]],
    ['.list[?(@.type=="Ready")].status', ["True"]],
    [".list[?(@.type == 'Other')].n", [2]],
    ['.list[?(@.type!="Ready")].n', [2]],
    [".list[?(@.n>=2)].type", ["Other"]],
    [".list[?(@.n<2)].type", ["Ready"]],
    [".list[?(@.deep)].type", ["Ready"]],
    [".list[?(@.deep.x==1)].type", ["Ready"]],
    [".numbers[?(@>15)]", [20, 30]],
    [".nothing", [null]],
    [".nothing.more", []],
    [".missing", []],
    [".constructor", []],
    [".numbers.length", []],
    [".", [root]],
  ])("%s", (path, values) => {
    expect(parseJsonPath(path)?.(root)).toEqual(values);
  });

  it.each([["a"], [".a["], [".a[x]"], [".a[?(x)]"], [".a[?(@.b==)]"], [".a]"], [".a..b"], [".a['b]"]])(
    "cannot read %s",
    (path) => {
      expect(parseJsonPath(path)).toBeUndefined();
    },
  );

  it("does not read a filter that takes long", () => {
    expect(parseJsonPath(`.list[?(${" \n".repeat(100_000)}!)]`)).toBeUndefined();
  });
});
