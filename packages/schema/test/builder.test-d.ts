import { expectTypeOf } from "vitest";
import {
  boolean,
  conditions,
  defaulted,
  enumOf,
  immutable,
  int32,
  intOrString,
  kind,
  labelSelector,
  list,
  map,
  nullable,
  object,
  optional,
  preserveUnknown,
  string,
} from "../src/index.ts";
import type {
  Condition,
  Kind,
  KindType,
  KubeObject,
  LabelSelector,
  ObjectMeta,
  Resource,
  TypeOf,
} from "../src/index.ts";

const text = string({ description: "Text." });

expectTypeOf<TypeOf<typeof text>>().toEqualTypeOf<string>();

const everything = object({
  required: text,
  maybe: optional(int32({ description: "Maybe." })),
  filled: defaulted(boolean({ description: "Filled." }), false),
  empty: nullable(text),
  choice: immutable(enumOf(["a", "b"], { description: "Choice." })),
  either: intOrString({ description: "Either." }),
  any: preserveUnknown({ description: "Any." }),
  many: list(text, { description: "Many." }),
  named: map(object({ x: text }), { description: "Named." }),
  selector: labelSelector({ description: "Selector." }),
});

expectTypeOf<TypeOf<typeof everything>>().toEqualTypeOf<{
  readonly required: string;
  readonly maybe?: number;
  readonly filled: boolean;
  readonly empty: string | null;
  readonly choice: "a" | "b";
  readonly either: number | string;
  readonly any: unknown;
  readonly many: readonly string[];
  readonly named: Readonly<Record<string, { readonly x: string }>>;
  readonly selector: LabelSelector;
}>();

const names = { group: "example.test", version: "v1", kind: "Thing", plural: "things", description: "A thing." };

const Full = kind({
  ...names,
  spec: object({ size: text }),
  status: object({ conditions: optional(conditions()) }),
});
type Full = typeof Full.Type;

expectTypeOf<Full>().toEqualTypeOf<{
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: { readonly size: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}>();
expectTypeOf<KindType<typeof Full>>().toEqualTypeOf<Full>();
expectTypeOf(Full).toExtend<Resource<Full>>();
expectTypeOf(Full).toExtend<Kind>();
expectTypeOf<Full>().toExtend<KubeObject>();

const Loose = kind({ ...names, spec: optional(object({ size: text })) });

expectTypeOf<typeof Loose.Type>().toEqualTypeOf<{
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly size: string };
}>();

// @ts-expect-error a default must be one of the values
defaulted(enumOf(["a", "b"], { description: "Choice." }), "c");
// @ts-expect-error keys are names of the items' fields
list(object({ name: text }), { description: "Named.", keys: ["nme"] });
// @ts-expect-error modifiers go inside of optional
immutable(optional(text));
// @ts-expect-error a scalar is described
string({});
