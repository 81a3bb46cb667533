import { describe, expect, it } from "vitest";
import { filterOf } from "./list-filter.ts";

const items = [
  {
    name: "web-1",
    type: "Microsoft.Compute/virtualMachines",
    group: "demo",
    location: "eastus",
    tags: { Team: "a b" },
  },
  { name: "web-2", type: "Microsoft.Compute/disks", group: "other", location: "westeurope", tags: { team: "c" } },
  { name: "it's", type: "Microsoft.Compute/disks", group: "demo", location: "eastus", tags: undefined },
];

const found = (filter: string | undefined) => items.filter(filterOf(filter)).map(({ name }) => name);

describe("a filter of a list", () => {
  it.each([
    [undefined, ["web-1", "web-2", "it's"]],
    ["", ["web-1", "web-2", "it's"]],
    ["name eq 'WEB-1'", ["web-1"]],
    ["name eq 'it''s'", ["it's"]],
    ["name ne 'web-1'", ["web-2", "it's"]],
    ["resourceType eq 'microsoft.compute/DISKS'", ["web-2", "it's"]],
    ["resourcegroup eq 'demo' and resourceType eq 'Microsoft.Compute/disks'", ["it's"]],
    ["location eq 'East US'", ["web-1", "it's"]],
    ["substringof('EB-', name)", ["web-1", "web-2"]],
    ["substringof(' and ', name) AND name eq 'x'", []],
    ["tagname eq 'team'", ["web-1", "web-2"]],
    ["tagName eq 'TEAM' and tagValue eq 'a b'", ["web-1"]],
    ["tagName eq 'team' and tagValue eq 'A B'", []],
    ["location eq 'westeurope' and tagName eq 'team' and tagValue eq 'c'", ["web-2"]],
  ])("%s", (filter, names) => expect(found(filter)).toEqual(names));

  it.each([
    "size eq 'x'",
    "constructor eq 'x'",
    "name eq x",
    "name eq 'a' or name eq 'b'",
    "name eq 'a' and",
    "tagValue eq 'a'",
    "tagName ne 'a'",
    "tagName eq 'a' and tagName eq 'b'",
    "substringof('a', location)",
  ])("is refused where it is not known: %s", (filter) => {
    expect(() => filterOf(filter)).toThrow(
      expect.objectContaining({ status: 400, code: "InvalidFilterInQueryString" }),
    );
  });
});
