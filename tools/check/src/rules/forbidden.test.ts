import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { contractNamesRule, forbiddenGlobalsRule } from "./forbidden.ts";

const file = (path: string, text: string) => ({
  ...packageFiles(path.split("/").slice(0, 2).join("/")),
  [path]: text,
});

describe("forbidden globals", () => {
  it.each([
    ["process.env.HOME", "process.env: take options"],
    ["console.warn(1)", "console: take a Logger"],
    ["Date.now()", "Date.now: take a Clock"],
    ["new Date()", "new Date(): take a Clock"],
    ["setTimeout(run, 1)", "timers: take a Clock"],
    ["setInterval(run, 1)", "timers: take a Clock"],
    ["Math.random()", "Math.random: take a Random"],
  ])("finds %s", (text, message) => {
    expect(findingsOf(forbiddenGlobalsRule, file("packages/kube/src/a.ts", `const a = 1;\n${text};`))).toEqual([
      `packages/kube/src/a.ts:2: ${message}`,
    ]);
  });

  it("is not blind after strings that look like comments", () => {
    const text = `const glob = "src/*"; const url = "http://a"; Date.now(); const end = "*/";`;
    expect(findingsOf(forbiddenGlobalsRule, file("packages/kube/src/a.ts", text))).toHaveLength(1);
  });

  it.each([
    ["a date of a given time", "packages/kube/src/a.ts", "new Date(ms)"],
    ["a comment", "packages/kube/src/a.ts", "/* process.env,\n Date.now() */ // console.log()"],
    ["a test", "packages/kube/src/a.test.ts", "Date.now()"],
    ["the system clock", "packages/runtime/src/system-clock.ts", "Date.now(); setTimeout(run, 1)"],
    ["the timeout of a socket", "packages/kit/src/a.ts", "request.socket.setTimeout(1)"],
    ["an app", "apps/cli/src/a.ts", "process.env.HOME"],
  ])("accepts %s", (_, path, text) => {
    expect(findingsOf(forbiddenGlobalsRule, file(path, text))).toEqual([]);
  });
});

describe("contract names", () => {
  const text = `const label = "cluster.x-k8s.io/cluster-name";`;

  it("finds a name that is spelled out", () => {
    expect(findingsOf(contractNamesRule, file("packages/kit/src/a.ts", text))).toEqual([
      "packages/kit/src/a.ts:1: use the constants of @capstan/contract",
    ]);
  });

  it.each([
    ["the contract itself", "packages/contract/src/a.ts", text],
    ["a description of a kind", "packages/core/src/api/machine.ts", text],
    ["a test", "packages/kit/src/a.test.ts", text],
    ["a comment", "packages/kit/src/a.ts", `// ${text}`],
  ])("accepts %s", (_, path, content) => {
    expect(findingsOf(contractNamesRule, file(path, content))).toEqual([]);
  });
});
