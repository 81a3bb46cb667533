import { expect, it } from "vitest";
import { pageOf } from "./list-page.ts";

const address = "https://localhost/subscriptions/s/resources";

it("shows a list by pages, each with the address of the next one", () => {
  const query = { "api-version": "2021-04-01", $filter: "name eq 'a&b'", $expand: undefined };
  const first = pageOf([1, 2, 3], { $top: 2 }, address, query);
  expect(first.value).toEqual([1, 2]);
  const next = new URL(first.nextLink ?? "");
  expect(next.origin + next.pathname).toBe(address);
  expect(Object.fromEntries(next.searchParams)).toEqual({
    "api-version": "2021-04-01",
    $filter: "name eq 'a&b'",
    $top: "2",
    $skiptoken: "2",
  });
  expect(pageOf([1, 2, 3], { $top: 2, $skiptoken: "2" }, address, query)).toEqual({ value: [3] });
});

it("puts no more than a thousand on a page", () => {
  const all = Array.from({ length: 1001 }, (_, index) => index);
  expect(pageOf(all, {}, address, {})).toMatchObject({
    value: { length: 1000 },
    nextLink: expect.any(String) as string,
  });
  expect(pageOf(all, { $top: 5000, $skiptoken: "1000" }, address, {})).toEqual({ value: [1000] });
  expect(pageOf([], {}, address, {})).toEqual({ value: [] });
});
