import { type Logger, silentLogger } from "@capstan/contract";
import { expect, it } from "vitest";
import { inventoryObject, readInventory } from "./inventory.ts";

const entry = { apiVersion: "v1", kind: "ConfigMap", namespace: "prod", name: "one" };
const config = inventoryObject([]);

it.each([
  ["nothing", undefined, [], 0],
  ["an empty list", config, [], 0],
  ["one entry", inventoryObject([entry]), [entry], 0],
  ["no list", { ...config, data: {} }, [], 1],
  ["no data", { ...config, data: undefined }, [], 1],
  ["no JSON", { ...config, data: { objects: "[{" } }, [], 1],
  ["another shape", { ...config, data: { objects: "{}" } }, [], 1],
  ["an entry of another shape", { ...config, data: { objects: '[{"kind":"ConfigMap"},null]' } }, [], 1],
])("reads %s, and warns of what it cannot read", async (_, stored, entries, warned) => {
  const warnings: unknown[] = [];
  const log: Logger = { ...silentLogger, warn: (message, fields) => void warnings.push({ message, ...fields }) };
  expect(await readInventory({ find: async () => stored }, log)).toEqual(entries);
  expect(warnings).toEqual(
    Array.from({ length: warned }, () => ({
      message: expect.stringContaining("cannot be read"),
      kind: "ConfigMap",
      namespace: "kube-system",
      name: "capstan-manifests",
      field: "data.objects",
    })),
  );
});
