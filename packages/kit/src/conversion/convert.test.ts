import { Annotation } from "@capstan/contract";
import { boolean, int32, kind, list, object, optional, string, text, type KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { converterOf } from "./convert.ts";
import { fields } from "./shape.ts";
import { plainBool } from "./values.ts";

const names = { group: "toys.example.io", kind: "Toy", plural: "toys", description: "A toy." } as const;
const older = { group: names.group, version: "v1" };
const newer = kind({
  ...names,
  version: "v2",
  spec: object({
    size: optional(
      object({ height: optional(int32({ description: "Height." })) }, { description: "Size.", minProperties: 1 }),
    ),
    loud: optional(boolean({ description: "Loud." })),
    weight: optional(int32({ description: "Weight." })),
    name: optional(text(10, "Name.")),
    parts: optional(
      list(
        object(
          { id: string({ description: "Id." }), loud: optional(boolean({ description: "Loud." })) },
          { description: "Part." },
        ),
        {
          description: "Parts.",
        },
      ),
    ),
  }),
});
const convert = converterOf({
  older,
  newer,
  shape: fields(
    [
      ["spec.height", "spec.size.height"],
      ["spec.loud", "spec.loud", plainBool],
    ],
    { newer: ["spec.weight"] },
  ),
});
const lookup = (group: string): string => `${group}/v1`;
const up = (toy: KubeObject) => convert(toy, "toys.example.io/v2", lookup);
const down = (toy: KubeObject) => convert(toy, "toys.example.io/v1", lookup);
const toy = (version: string, spec: object, annotations?: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: `toys.example.io/${version}`,
  kind: "Toy",
  metadata: { name: "bear", ...(annotations && { annotations }) },
  spec,
});
const saved = (value: string) => ({ [Annotation.conversionData]: value });

it("moves fields, and takes refused zero values for unset", () => {
  expect(up(toy("v1", { height: 3, name: "", loud: false }))).toEqual(toy("v2", { size: { height: 3 } }));
});

it("keeps what the older version cannot hold, also when other fields change there", () => {
  const older1 = down(toy("v2", { size: { height: 3 }, loud: false, weight: 7 }));
  expect(older1["spec"]).toEqual({ height: 3, loud: false });
  const changed = { ...older1, spec: { height: 4 } };
  expect(up(changed)).toEqual(toy("v2", { size: { height: 4 }, loud: false, weight: 7 }));
  expect(up({ ...older1, spec: { height: 3, loud: true } })).toEqual(
    toy("v2", { size: { height: 3 }, loud: true, weight: 7 }),
  );
});

it("does not bring back a field that was removed", () => {
  const older1 = down(toy("v2", { size: { height: 3 }, weight: 7 }));
  expect(up({ ...older1, spec: {} })).toEqual(toy("v2", { weight: 7 }));
});

it.each(["no JSON", "[]", '{"spec":{"weight":"heavy"}}', '{"spec":null}'])("ignores the annotation %s", (json) => {
  expect(up(toy("v1", { height: 3 }, saved(json)))).toEqual(toy("v2", { size: { height: 3 } }));
});

it("ignores unknown fields of the annotation", () => {
  const json = JSON.stringify({ spec: { weight: 7, bogus: 1 }, bogus: 2 });
  expect(up(toy("v1", {}, saved(json)))).toEqual(toy("v2", { weight: 7 }));
});
