import { expect, it } from "vitest";
import { misfit } from "./answer-shapes.ts";
import { pathOf } from "./path.ts";

const instance = { id: 7, label: "web", status: "running", tags: [] };
const page = (data: readonly unknown[]) => ({ data, page: 1, pages: 1, results: data.length });
const query = { page: 1, page_size: 100 };

it.each([
  ["POST", pathOf("linode/instances"), undefined, instance],
  ["GET", pathOf("linode/instances/:id", [7]), undefined, instance],
  ["PUT", pathOf("linode/instances/:id", [7]), undefined, instance],
  ["GET", pathOf("linode/instances"), query, page([instance])],
  ["GET", pathOf("linode/instances"), query, page([])],
  ["POST", pathOf("linode/instances/:id/boot", [7]), undefined, {}],
  ["PUT", pathOf("linode/instances/:id/firewalls", [7]), undefined, page([{ id: 1 }])],
  ["GET", pathOf("linode/types/$id", ["g6-standard-1"]), undefined, { id: "g6-standard-1", disk: 81920 }],
  ["DELETE", pathOf("linode/instances/:id", [7]), undefined, null],
  ["GET", pathOf("linode/instances/:id/ips", [7]), undefined, { ipv4: {} }],
  ["POST", pathOf("linode/instances/:id/ips", [7]), undefined, { address: "192.0.2.1" }],
])("%s %j takes what the API answers", (method, at, asked, answer) => {
  expect(misfit({ method, path: at, ...(asked && { query: asked }) }, answer)).toBeUndefined();
});

it.each([
  ["POST", pathOf("linode/instances"), undefined, { id: "abc" }],
  ["POST", pathOf("linode/instances"), undefined, { ...instance, id: -1 }],
  ["POST", pathOf("linode/instances"), undefined, { ...instance, id: 1.5 }],
  ["POST", pathOf("linode/instances"), undefined, {}],
  ["GET", pathOf("linode/instances/:id", [7]), undefined, [instance]],
  ["GET", pathOf("linode/instances/:id", [7]), undefined, null],
  ["GET", pathOf("linode/instances"), query, {}],
  ["GET", pathOf("linode/instances"), query, { data: {}, pages: 1 }],
  ["GET", pathOf("linode/instances"), query, { data: [instance] }],
  ["GET", pathOf("linode/instances"), query, page([instance, { id: "x" }])],
  ["GET", pathOf("object-storage/keys"), query, page([{ id: "x" }])],
  ["GET", pathOf("object-storage/buckets"), query, page([{ id: "x" }])],
  ["GET", pathOf("placement/groups"), query, page([{ id: "x" }])],
  ["GET", pathOf("domains"), query, page([{ id: "x" }])],
  ["GET", pathOf("linode/stackscripts"), query, page([{ id: "x" }])],
  ["GET", pathOf("networking/firewalls/:id/devices", [7]), query, page([{ id: "x" }])],
  ["GET", pathOf("volumes"), query, page(["a"])],
  ["POST", pathOf("linode/instances/:id/boot", [7]), undefined, "yes"],
  ["GET", pathOf("linode/instances/:id/ips", [7]), undefined, { address: "192.0.2.1" }],
  ["GET", pathOf("linode/types/$id", ["g6-standard-1"]), undefined, { id: "g6-standard-1" }],
])("%s %j refuses %j", (method, at, asked, answer) => {
  expect(misfit({ method, path: at, ...(asked && { query: asked }) }, answer)).toMatch(/^the answer /);
});
