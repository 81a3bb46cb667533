import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { admit, definition, faults } from "./readme-example.ts";

const text = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

it("the README shows the example as it is tested here", () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(text("../README.md")) ?? [];
  expect(shown).toBe(text("readme-example.ts"));
});

it("the example does what its comments say", () => {
  expect(definition.metadata.name).toBe("servers.infrastructure.example.test");
  expect(faults).toEqual([]);
  const { unknown, causes } = admit({ metadata: { name: "a" }, spec: { region: "", colour: "red" } });
  expect(unknown).toEqual(["spec.colour"]);
  expect(causes).toMatchObject([{ reason: "FieldValueInvalid", field: "spec.region" }]);
});
