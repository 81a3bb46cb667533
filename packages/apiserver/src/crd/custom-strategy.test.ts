import { systemClock } from "@capstan/runtime";
import type { KubeObject, StructuralSchema } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import type { HookContext } from "../model/types.ts";
import { customStrategy } from "./custom-strategy.ts";

const schema: StructuralSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer", maximum: 5 },
        texts: { type: "object", additionalProperties: { type: "string", maxLength: 3 } },
      },
    },
  },
};

const contextOf = (warnings: string[]): HookContext =>
  ({
    user: { name: "u", groups: [] },
    warn: (text: string) => void warnings.push(text),
    clock: systemClock,
  }) as unknown as HookContext;

const thing = (spec: object, finalizers: readonly string[] = []): KubeObject => ({
  apiVersion: "a.test/v1",
  kind: "Thing",
  metadata: { name: "a", namespace: "n", finalizers },
  spec,
});

const cases: [what: string, object: KubeObject, old?: KubeObject][] = [
  ["right", thing({ size: 1, texts: { a: "abc" } })],
  ["wrong in several places", thing({ size: 9, texts: { a: "abcd", b: 5 } }, ["plain"])],
  ["wrong as before", thing({ size: 9, texts: { a: "abcd", b: "x" } }), thing({ size: 9, texts: { a: "abcd" } })],
  ["wrong otherwise", thing({ size: 8, texts: { a: "abcd" } }), thing({ size: 9, texts: { a: "abcd" } })],
];

describe("validation of large custom objects", () => {
  it.each(cases)("says in a thread what it says here: %s", async (...[, object, old]) => {
    const strategy = customStrategy({ schema, scale: undefined });
    const [here, there]: [string[], string[]] = [[], []];
    const found =
      old === undefined
        ? strategy.validate?.(object, contextOf(here))
        : strategy.validateUpdate?.(object, old, contextOf(here), "");
    expect(await strategy.validateLong?.(object, old, contextOf(there), "")).toEqual(found);
    expect(there).toEqual(here);
  });
});
