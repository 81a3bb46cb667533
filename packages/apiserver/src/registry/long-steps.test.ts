import { apiVersionOf, type KubeObject, type StructuralSchema } from "@capstan/schema";
import { objectMetaSchema } from "@capstan/schema/structural";
import { describe, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import { bodyKindOf, decodeObject, normalised } from "../decode/decode-object.ts";
import { StatusError } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { isLongWrite, longStepOf } from "./long-steps.ts";
import type { WriteCall } from "./write-call.ts";
import { appliedObject, ownersOf, patchedObject, type PlainPatch } from "./write-steps.ts";

const configMaps = builtinDefinitions().find(({ kind }) => kind === "ConfigMap") as ResourceDefinition;
const pods = builtinDefinitions().find(({ kind }) => kind === "Pod") as ResourceDefinition;

const custom: ResourceDefinition = {
  ...configMaps,
  group: "long.test",
  version: "v1",
  kind: "Thing",
  plural: "things",
  origin: "custom",
  subresources: [{ name: "status", verbs: [], behaviour: { type: "status" } }],
  schema: {
    type: "object",
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: objectMetaSchema,
      spec: {
        type: "object",
        properties: {
          size: { type: "integer", default: 3 },
          map: { type: "object", additionalProperties: { type: "string" } },
        },
      },
      status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  } satisfies StructuralSchema,
};

const callOf = (definition: ResourceDefinition, warnings: string[] = []): WriteCall => ({
  definition,
  namespace: "default",
  user: { name: "u", groups: [] },
  dryRun: false,
  fieldManager: "m",
  fieldValidation: "Warn",
  warn: (message) => warnings.push(message),
  options: {},
});

const writer = { manager: "m", time: "2026-01-01T00:00:00Z", subresource: "" };
const text = { duplicates: [], decimals: [] };

const objectOf = (definition: ResourceDefinition, rest: Readonly<Record<string, unknown>>): KubeObject => ({
  apiVersion: apiVersionOf(definition),
  kind: definition.kind,
  metadata: { name: "a", namespace: "default" },
  ...rest,
});

const map = objectOf(configMaps, { data: { a: "1", b: "2" }, stray: 1 });
const thing = objectOf(custom, { spec: { map: { a: "1" }, stray: 9007199254740993n }, status: { a: 1 } });
const pod = objectOf(pods, { spec: { containers: [{ name: "c", image: "i:1" }] } });

describe.each([
  ["a built-in kind", configMaps, map, { data: { b: null, c: "3" } }],
  ["a built-in kind with defaults", pods, pod, { metadata: { labels: { a: "b" } } }],
  ["a custom kind", custom, thing, { spec: { map: { b: "2" } } }],
])("the steps in a thread for %s", (_, definition, object, change) => {
  const call = callOf(definition);
  const body = bodyKindOf(definition);
  const decoded = decodeObject(
    { value: object, ...text },
    { body, from: "body", fieldValidation: "Ignore", warn: call.warn },
  );
  const live = {
    ...decoded,
    metadata: {
      ...decoded.metadata,
      managedFields: ownersOf(definition, { live: undefined, updated: decoded }, writer),
    },
  } as KubeObject;

  it("decode as here, with the warnings", async () => {
    const [there, here]: [string[], string[]] = [[], []];
    const answer = await longStepOf(callOf(definition, there), { type: "decode", text }, [object]);
    const options = {
      body,
      from: "body",
      fieldValidation: "Warn",
      warn: (message: string) => here.push(message),
    } as const;
    expect(answer).toEqual(decodeObject({ value: object, ...text }, options));
    expect(there).toEqual(here);
  });

  it("patch as here", async () => {
    const patch: PlainPatch = { type: "merge", patch: change };
    const answer = await longStepOf(call, { type: "patch", patch: "merge", text }, [change, live]);
    expect(answer).toEqual(patchedObject(body, live, patch, text, call));
  });

  it("apply as here", async () => {
    const config = { ...object, ...change, metadata: { name: "a", namespace: "default", labels: { c: "d" } } };
    const { stray: _, ...declared } = config as KubeObject & { stray?: unknown };
    const own = definition === custom ? { ...declared, spec: { map: { b: "2" } } } : declared;
    const answer = await longStepOf(call, { type: "apply", force: true, writer }, [own, live]);
    expect(answer).toEqual(appliedObject(definition, { live, config: own, force: true }, writer));
  });

  it("give fields to their owners as here", async () => {
    const updated = { ...live, metadata: { ...live.metadata, labels: { e: "f" } } };
    const other = { ...writer, manager: "other" };
    const answer = await longStepOf(call, { type: "owners", writer: other }, [updated, live]);
    expect(answer).toEqual(ownersOf(definition, { live, updated }, other));
  });

  it("normalise as here", async () => {
    const answer = await longStepOf(call, { type: "normalise" }, [{ ...live, stray: 2 }]);
    expect(answer).toEqual(normalised(definition, { ...live, stray: 2 }));
  });
});

describe("a step in a thread", () => {
  it("is refused with the same answer", async () => {
    const step = { type: "apply", force: false, writer: { ...writer, manager: "n" } } as const;
    const owned = ownersOf(configMaps, { live: undefined, updated: map }, writer);
    const live = { ...map, metadata: { ...map.metadata, managedFields: owned } } as KubeObject;
    const config = objectOf(configMaps, { data: { a: "2" } });
    const refused = (await longStepOf(callOf(configMaps), step, [config, live]).catch(
      (error: unknown) => error,
    )) as StatusError;
    expect(refused).toBeInstanceOf(StatusError);
    expect(refused.status).toMatchObject({
      code: 409,
      reason: "Conflict",
      details: { causes: [{ field: ".data.a" }] },
    });
  });

  it("is taken for objects with very many fields alone", () => {
    const many = objectOf(configMaps, {
      data: Object.fromEntries(Array.from({ length: 4_001 }, (_, i) => [`k${i}`, ""])),
    });
    const call = callOf(configMaps);
    expect(isLongWrite(call, undefined, many)).toBe(true);
    expect(isLongWrite(call, undefined, map)).toBe(false);
    expect(isLongWrite({ ...call, isShort: true }, undefined, many)).toBe(false);
    expect(isLongWrite({ ...call, isShort: true }, { object: many, text: JSON.stringify(many) }, map)).toBe(true);
  });
});
