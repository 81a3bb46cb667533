import { beforeAll, expect, it } from "vitest";
import { linodeRoutes } from "../src/simulator.ts";
import { simulate } from "../src/testing.ts";
import { familyOf, fieldsIn, fieldsOf, routeOf } from "./tour/routes-seen.ts";
import { tour } from "./tour/tour.ts";
import type { Seen } from "./tour/tourist.ts";

/** Where images are uploaded to is no operation of the client; the tour looks at what became of the image. */
const routes = linodeRoutes.filter(({ path }) => !path.startsWith("images/uploads/"));

let seen: readonly Seen[];
let violations: readonly unknown[];

beforeAll(async () => {
  await using simulation = await simulate();
  ({ seen } = await tour(simulation));
  ({ violations } = simulation.simulator.requests);
});

it("the client can call every operation of the simulator, correctly", () => {
  const called = new Set(seen.map((each) => familyOf(routeOf(each))));
  expect(routes.map(familyOf).filter((family) => !called.has(family))).toEqual([]);
  expect(violations).toEqual([]);
});

it("every operation succeeds, but for those that a simulated account always refuses", () => {
  const succeeded = new Set(seen.flatMap((each) => (each.status < 300 ? [familyOf(routeOf(each))] : [])));
  const refused = routes.map(familyOf).filter((family) => !succeeded.has(family));
  expect(refused.toSorted()).toEqual([
    "GET networking/ipv6/pools/*",
    "POST account/cancel",
    "POST account/entity-transfers/*/accept",
    "POST account/promo-codes",
    "POST account/service-transfers/*/accept",
  ]);
});

it("the client's types have every field that an operation takes", () => {
  const sent = new Map<string, Set<string>>();
  for (const each of seen) {
    const route = routeOf(each);
    const known = sent.get(familyOf(route)) ?? new Set<string>();
    sent.set(familyOf(route), known);
    if (route.body !== undefined) for (const field of fieldsIn(each.body, route.body)) known.add(field);
  }
  const missing = routes.flatMap((route) => {
    const known = sent.get(familyOf(route));
    const fields = route.body === undefined ? [] : fieldsOf(route.body);
    return fields.filter((field) => known?.has(field) !== true).map((field) => `${familyOf(route)}: ${field}`);
  });
  expect(missing, missing.join("\n")).toEqual([]);
});
