import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

const guide = text("../../../../../docs/guides/write-a-bootstrap-provider.md");
const blocks = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block);

it("shows this provider, and nothing that is not run", () => {
  const files = ["simple-config.ts", "documents.ts", "simple-provider.ts", "conformance.it.test.ts"];
  expect(blocks).toEqual(files.map((name) => text(name)));
});
