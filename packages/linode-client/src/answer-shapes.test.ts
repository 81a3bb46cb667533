import { expect, it } from "vitest";
import { misfit } from "./answer-shapes.ts";
import { path } from "./path.ts";

const instance = { id: 7, label: "web", status: "running", tags: [] };
const page = (data: readonly unknown[]) => ({ data, page: 1, pages: 1, results: data.length });
const query = { page: 1, page_size: 100 };

it.each([
  ["POST", path`linode/instances`, undefined, instance],
  ["GET", path`linode/instances/${7}`, undefined, instance],
  ["PUT", path`linode/instances/${7}`, undefined, instance],
  ["GET", path`linode/instances`, query, page([instance])],
  ["GET", path`linode/instances`, query, page([])],
  ["POST", path`linode/instances/${7}/boot`, undefined, {}],
  ["PUT", path`linode/instances/${7}/firewalls`, undefined, page([{ id: 1 }])],
  ["GET", path`linode/types/${"g6-standard-1"}`, undefined, { id: "g6-standard-1", disk: 81920 }],
  ["DELETE", path`linode/instances/${7}`, undefined, null],
])("%s %j takes what the API answers", (method, at, asked, answer) => {
  expect(misfit({ method, path: at, ...(asked && { query: asked }) }, answer)).toBeUndefined();
});

it.each([
  ["POST", path`linode/instances`, undefined, { id: "abc" }],
  ["POST", path`linode/instances`, undefined, { ...instance, id: -1 }],
  ["POST", path`linode/instances`, undefined, { ...instance, id: 1.5 }],
  ["POST", path`linode/instances`, undefined, {}],
  ["GET", path`linode/instances/${7}`, undefined, [instance]],
  ["GET", path`linode/instances/${7}`, undefined, null],
  ["GET", path`linode/instances`, query, {}],
  ["GET", path`linode/instances`, query, { data: {}, pages: 1 }],
  ["GET", path`linode/instances`, query, { data: [instance] }],
  ["GET", path`linode/instances`, query, page([instance, { id: "x" }])],
  ["GET", path`volumes`, query, page(["a"])],
  ["POST", path`linode/instances/${7}/boot`, undefined, "yes"],
  ["GET", path`linode/types/${"g6-standard-1"}`, undefined, { id: "g6-standard-1" }],
])("%s %j refuses %j", (method, at, asked, answer) => {
  expect(misfit({ method, path: at, ...(asked && { query: asked }) }, answer)).toMatch(/^the answer /);
});
