import { expect, it } from "vitest";
import { filter } from "./filter.ts";

it("writes every operator as the API reads it", () => {
  expect(
    filter.order(
      filter.or(
        filter.and(filter.eq("region", "us-ord"), filter.neq("status", "offline"), filter.contains("label", "web")),
        filter.gt("a", 1),
        filter.gte("b", 2),
        filter.lt("c", 3),
        filter.lte("d", 4),
      ),
      "label",
      "desc",
    ),
  ).toEqual({
    "+or": [
      { "+and": [{ region: "us-ord" }, { status: { "+neq": "offline" } }, { label: { "+contains": "web" } }] },
      { a: { "+gt": 1 } },
      { b: { "+gte": 2 } },
      { c: { "+lt": 3 } },
      { d: { "+lte": 4 } },
    ],
    "+order_by": "label",
    "+order": "desc",
  });
});
