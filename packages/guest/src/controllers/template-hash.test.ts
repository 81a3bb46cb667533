import { expect, it } from "vitest";
import { templateHash } from "./template-hash.ts";

const container = { name: "c", image: "i:1" };

it("differs with the template, whatever the order of its fields", () => {
  const one = templateHash({ metadata: { labels: { a: "1", b: "2" } }, spec: { containers: [container] } });
  expect(templateHash({ spec: { containers: [container] }, metadata: { labels: { b: "2", a: "1" } } })).toBe(one);
  const other = templateHash({
    metadata: { labels: { a: "1", b: "2" } },
    spec: { containers: [{ ...container, image: "i:2" }] },
  });
  expect(other).not.toBe(one);
  expect(one).toMatch(/^[a-z0-9]+$/);
});
