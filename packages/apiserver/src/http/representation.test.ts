import { expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { servedObject } from "../registry/served.ts";
import type { Format } from "./negotiation.ts";
import { type RepresentationCache, representationOf } from "./representation.ts";

const definition = builtinDefinitions().find(({ plural }) => plural === "configmaps") as ResourceDefinition;
const items = Array.from({ length: 2_500 }, (_, index) =>
  servedObject({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: `m${index}`, labels: { größe: "漢字" } } }),
);

it.each([undefined, "Table", "PartialObjectMetadata"] as const)("a long list is made in turns: %s", async (view) => {
  const cache: RepresentationCache = new WeakMap();
  const format: Format = { media: "json", ...(view === undefined ? {} : { as: { view, version: "v1" } }) };
  const representation = representationOf(definition, format, { includeObject: null, now: () => 0, cache });
  let turns = 0;
  const turn = (): void => {
    turns++;
    setImmediate(turn).unref();
  };
  turn();
  const text = await representation.list({ items, resourceVersion: "7" });
  expect(turns).toBeGreaterThan(2);
  const { metadata, rows, items: list } = JSON.parse(text.toString()) as Record<string, readonly unknown[]>;
  expect(metadata).toEqual({ resourceVersion: "7" });
  expect(rows ?? list).toHaveLength(items.length);
  if (rows === undefined) expect(list?.at(-1)).toMatchObject({ metadata: items.at(-1)?.object.metadata });
});
