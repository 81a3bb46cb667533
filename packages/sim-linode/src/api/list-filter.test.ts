import { describe, expect, it } from "vitest";
import { filter } from "@capstan/linode-client";
import { applyFilter } from "./list-filter.ts";

const items = [
  { id: 1, label: "web-1", tags: ["a", "b"], specs: { disk: 10 } },
  { id: 2, label: "web-2", tags: ["b"], specs: { disk: 20 } },
  { id: 3, label: "db-1", tags: [], specs: { disk: 30 } },
];
const filterable = ["id", "label", "tags", "specs.disk"];
const ids = (expression: object): readonly number[] =>
  applyFilter(items, JSON.stringify(expression), filterable).map(({ id }) => id);

describe("applyFilter", () => {
  it.each([
    [filter.eq("label", "web-2"), [2]],
    [filter.eq("tags", "b"), [1, 2]],
    [filter.neq("label", "web-2"), [1, 3]],
    [filter.contains("label", "web"), [1, 2]],
    [filter.gt("specs.disk", 10), [2, 3]],
    [filter.gte("specs.disk", 20), [2, 3]],
    [filter.lt("specs.disk", 20), [1]],
    [filter.lte("specs.disk", 20), [1, 2]],
    [filter.and(filter.contains("label", "1"), filter.eq("tags", "a")), [1]],
    [filter.or(filter.eq("id", 1), filter.eq("id", 3)), [1, 3]],
    [filter.order({}, "label"), [3, 1, 2]],
    [filter.order(filter.contains("label", "web"), "id", "desc"), [2, 1]],
    [{}, [1, 2, 3]],
  ])("%j", (expression, expected) => {
    expect(ids(expression)).toEqual(expected);
  });

  it.each([
    [{ secret: 1 }, "secret"],
    [{ label: { "+like": "x" } }, "+like"],
    [{ "+order": "asc" }, "+order_by"],
    [{ "+order_by": "secret" }, "secret"],
    [{ "+order_by": "id", "+order": "up" }, "+order"],
    [{ "+and": {} }, "+and"],
    [[], "object"],
  ])("refuses %j", (expression, named) => {
    expect(() => applyFilter(items, JSON.stringify(expression), filterable)).toThrow(
      expect.objectContaining({ violation: true, message: expect.stringContaining(named) as string }),
    );
  });
});
