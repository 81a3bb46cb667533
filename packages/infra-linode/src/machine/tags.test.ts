import { describe, expect, it } from "vitest";
import { tagsToSet, wantedTags } from "./tags.ts";

const identityTag = "capstan-uid=1";

describe("wantedTags", () => {
  it("adds the cluster's name and the identity, once each", () => {
    const input = { specTags: ["a-tag", "prod"], clusterName: "prod", identityTags: [identityTag] };
    expect(wantedTags(input)).toEqual(["a-tag", "prod", identityTag]);
  });

  it.each(["ab", "x".repeat(51)])("leaves out a name that cannot be a tag: %s", (clusterName) => {
    expect(wantedTags({ specTags: [], clusterName, identityTags: [identityTag] })).toEqual([identityTag]);
  });
});

describe("tagsToSet", () => {
  it.each([
    ["nothing to do", ["a", "b"], ["a", "b"], ["b", "a"], undefined],
    ["one missing", ["a", "b"], ["a"], ["a"], ["a", "b"]],
    ["one no longer wanted", ["a"], ["a", "b"], ["a", "b"], ["a"]],
    ["somebody else's stays", ["a"], ["a"], ["a", "theirs"], undefined],
    ["somebody else's stays beside changes", ["a", "c"], ["a", "b"], ["a", "b", "theirs"], ["a", "theirs", "c"]],
  ])("%s", (_name, wanted, managed, current, expected) => {
    expect(tagsToSet({ wanted, managed, current })).toEqual(expected);
  });
});

it("sets no mark of an epoch that a user chose", () => {
  const specTags = ["team", "capstan-epoch=0123456789ab-999999999", "CAPSTAN-EPOCH=0123456789ab-5"];
  expect(wantedTags({ specTags, clusterName: "orchid", identityTags: ["mine"] })).toEqual(["team", "orchid", "mine"]);
});
