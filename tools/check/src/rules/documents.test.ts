import { describe, expect, it } from "vitest";
import { findingsOf } from "../../test/make-repository.ts";
import { documentsRule } from "./documents.ts";

const code = "export const one = 1;\n";
const excerpt = (text: string, from = "packages/kube/test/guide.ts"): string =>
  `<!-- from ${from} -->\n\n\`\`\`ts\n${text}\`\`\`\n`;
const files = (text: string) => ({
  "docs/guides/use-it.md": text,
  "docs/errors.md": "# Errors\n\n## What `a.b` says, and why\n",
  "packages/kube/test/guide.ts": `const zero = 0;\n${code}const two = () => {\n  return one;\n};\n`,
});
const where = "docs/guides/use-it.md";

describe("documents", () => {
  it.each([
    "[errors](../errors.md), [a heading](../errors.md#what-ab-says-and-why), [a folder](../../packages/kube/test)",
    "# Use it\n\n[here](#use-it) and [there](https://example.com/x.md)",
    "`[no](link.md)`\n\n```\n[none](either.md)\n```\n",
    excerpt(code),
    excerpt("return one;\n"),
    "```sh\ntrue\n```\n",
  ])("accepts %j", (text) => {
    expect(findingsOf(documentsRule, files(text))).toEqual([]);
  });

  it.each([
    ["[errors](errors.md)", "the link errors.md goes to docs/guides/errors.md, which does not exist"],
    ["[x](../errors.md#y)", "the link ../errors.md#y goes to a heading that docs/errors.md does not have"],
    [
      excerpt("const two = 2;\n"),
      'the excerpt that begins with "const two = 2;" is not in packages/kube/test/guide.ts',
    ],
    [excerpt(code, "gone.ts"), "gone.ts, which an excerpt is from, does not exist"],
    ["```ts\nconst a = 1;\n```\n", 'say where "const a = 1;" is from, by a line <!-- from PATH --> before the block'],
  ])("refuses %j", (text, message) => {
    expect(findingsOf(documentsRule, files(text))).toEqual([`${where}: ${message}`]);
  });

  it.each(["packages/kube/README.md", "docs/architecture.md"])("asks %s where its code is from", (path) => {
    expect(findingsOf(documentsRule, { [path]: "```ts\nconst a = 1;\n```\n" })).toEqual([
      `${path}: say where "const a = 1;" is from, by a line <!-- from PATH --> before the block`,
    ]);
  });

  it("lets imports stand among others", () => {
    const source = `import { a } from "a";\nimport { b } from "b";\nimport { c } from "c";\n\nexport const f = () => {\n  a();\n  c();\n};\n`;
    const shown = (imports: string) => excerpt(`${imports}\na();\nc();\n`);
    const found = (text: string) =>
      findingsOf(documentsRule, { ...files(text), "packages/kube/test/guide.ts": source });
    expect(found(shown(`import { a } from "a";\nimport { c } from "c";\n`))).toEqual([]);
    expect(found(shown(`import { d } from "d";\n`))).toHaveLength(1);
    expect(found(excerpt(`import { a } from "a";\n\na();\nb();\n`))).toHaveLength(1);
  });
});
