import { describe, expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { errorCodesRule } from "./error-codes.ts";

const withSource = (text: string, path = "packages/kube/src/errors.ts") => ({
  ...packageFiles("packages/kube"),
  [path]: text,
});
const documenting = (...codes: readonly string[]) => ({
  "docs/errors.md": [
    "| code | reason | what happened | what to do |",
    "|---|---|---|---|",
    ...codes.map((code) => `| \`${code}\` | Reason | It broke. | Mend it. |`),
  ].join("\n"),
});
const missing = (code: string) => `packages/kube/src/errors.ts: ${code} is not in docs/errors.md`;

describe("error codes", () => {
  it("accepts codes that are thrown and documented", () => {
    expect(findingsOf(errorCodesRule, withSource(`({ code: "kube.gone" })`), documenting("kube.gone"))).toEqual([]);
  });

  it("finds a code that is not documented, and a missing document", () => {
    const source = withSource(`({ code: "kube.gone" })`);
    expect(findingsOf(errorCodesRule, source, documenting())).toEqual([missing("kube.gone")]);
    expect(findingsOf(errorCodesRule, source)).toEqual([missing("kube.gone")]);
  });

  it.each([
    ["a table", `const codes = { 404: ["kube.not_found", "NotFound"] };`],
    ["an argument", `throw failure("kube.not_found", "NotFound");`],
    ["a constant", `const KubeCode = { notFound: "kube.not_found" };`],
  ])("finds a code in %s once its first part is known", (_, text) => {
    const source = withSource(`const gone = { code: "kube.gone" };\n${text}`);
    expect(findingsOf(errorCodesRule, source, documenting("kube.gone"))).toEqual([missing("kube.not_found")]);
  });

  it("finds a row whose code no source mentions", () => {
    const source = withSource(`({ code: "kube.gone" }); // "kube.lost" is no more`);
    expect(findingsOf(errorCodesRule, source, documenting("kube.gone", "kube.lost"))).toEqual([
      "docs/errors.md: no source mentions kube.lost",
    ]);
  });

  it("finds a reason that is another one than documented", () => {
    const source = withSource(`({ code: "kube.gone", reason: "Reason" });\n({ code: "kube.gone", reason: "Other" })`);
    expect(findingsOf(errorCodesRule, source, documenting("kube.gone"))).toEqual([
      "packages/kube/src/errors.ts: kube.gone has the reason Other, in docs/errors.md it is Reason",
    ]);
  });

  it("passes over rows of code families and strings that are not codes", () => {
    const source = withSource(`({ code: "kube.gone", host: "cluster.local", unit: "kube.service" })`);
    expect(findingsOf(errorCodesRule, source, documenting("kube.gone", "<service>.timeout"))).toEqual([]);
  });

  it("looks neither into tests nor into tools", () => {
    const text = `({ code: "kube.test_only" })`;
    const inTest = withSource(text, "packages/kube/src/a.test.ts");
    const inTool = { ...packageFiles("tools/try"), "tools/try/src/a.ts": text };
    expect(findingsOf(errorCodesRule, inTest, inTool, documenting())).toEqual([]);
  });
});
