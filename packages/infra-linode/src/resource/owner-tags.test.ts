import { describe, expect, it } from "vitest";
import { isTaggedFrom, ownerTags } from "./owner-tags.ts";
import { tagsIn, vpcDescription } from "./vpc-description.ts";

const ownerIn = (namespace: string) => ({ namespace, name: "thing", id: "1", mark: "a".repeat(20) });
/** As long as names of namespaces may be, and the same up to the last character. */
const [one, other] = ["1", "2"].map((end) => "n".repeat(62) + end) as [string, string];

describe.each([
  ["tags", (namespace: string) => ownerTags(ownerIn(namespace))],
  [
    "the description of a VPC",
    (namespace: string) => tagsIn(vpcDescription("", { tag: "capstan-uid=1", owner: ownerIn(namespace) })),
  ],
])("a thing's namespace in %s", (_, tagsOf) => {
  it.each([
    ["default", "default", true],
    ["default", "default2", false],
    ["default2", "default", false],
    ["n".repeat(38), "n".repeat(39), false],
    ["n".repeat(39), "n".repeat(38), false],
    [one, one, true],
    [one, other, false],
  ])("%s: asked by %s: %s", (namespace, asking, isFrom) => {
    expect(isTaggedFrom(tagsOf(namespace), asking)).toBe(isFrom);
  });
});

it("tags are no longer than the API takes, whatever the names", () => {
  for (const namespace of ["a", "n".repeat(38), "n".repeat(39), one]) {
    for (const tag of ownerTags(ownerIn(namespace))) expect(tag.length).toBeLessThanOrEqual(50);
  }
});
