import { tests as parsing } from "@bufbuild/cel-spec/testdata/parsing.js";
import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import type { CelType, Value } from "../src/index.ts";
import * as cel from "../src/index.ts";
import { parseDuration, parseTimestamp } from "../src/values/time.ts";

/** A value in the JSON form of `cel.expr.Value`. */
export interface ProtoValue {
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | "NaN" | "Infinity" | "-Infinity";
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly boolValue?: boolean;
  readonly nullValue?: null;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly ProtoValue[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: ProtoValue; readonly value: ProtoValue }[] };
  readonly objectValue?: Readonly<Record<string, unknown>>;
  readonly enumValue?: unknown;
}

/** A type in the JSON form of `cel.expr.Type`. */
export interface ProtoType {
  readonly primitive?: string;
  readonly wellKnown?: string;
  readonly null?: null;
  readonly dyn?: unknown;
  readonly listType?: { readonly elemType?: ProtoType };
  readonly mapType?: { readonly keyType: ProtoType; readonly valueType: ProtoType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly ProtoType[] };
  readonly messageType?: string;
  readonly type?: ProtoType;
  readonly wrapper?: string;
}

export interface SimpleTest {
  readonly name: string;
  readonly expr: string;
  readonly value?: ProtoValue;
  readonly typedResult?: { readonly result?: ProtoValue; readonly deducedType?: ProtoType };
  readonly evalError?: unknown;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly container?: string;
  readonly bindings?: Readonly<Record<string, { readonly value: ProtoValue }>>;
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: ProtoType } }[];
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: unknown }[];
}

const collect = (suite: Suite, path: string): { path: string; test: SimpleTest }[] => [
  ...(suite.tests ?? []).map(({ original }) => {
    const test = original as SimpleTest;
    return { path: `${path}/${test.name}`, test };
  }),
  ...(suite.suites ?? []).flatMap((inner) => collect(inner, path === "" ? inner.name : `${path}/${inner.name}`)),
];

/** All tests of the official suite with their paths, for example `basic/self_eval_zeroish/self_eval_int_zero`. */
export const conformanceTests = (): { path: string; test: SimpleTest }[] => collect(conformance, "");

/** Expressions the parser must accept or refuse. */
export const parsingTests = (): { expr: string; valid: boolean; error: string | undefined }[] =>
  (parsing.tests ?? []).map(({ original, ast, error }) => ({ expr: original.expr, valid: ast !== undefined, error }));

const wellKnown = (json: Readonly<Record<string, unknown>>): Value | undefined => {
  const text = String(json["value"]);
  switch (json["@type"]) {
    case "type.googleapis.com/google.protobuf.Timestamp":
      return parseTimestamp(text);
    case "type.googleapis.com/google.protobuf.Duration":
      return parseDuration(text);
    default:
      return undefined;
  }
};

/** The value, or undefined if it is a message or an enum, which this dialect does not have. */
export const toValue = (proto: ProtoValue): Value | undefined => {
  if (proto.int64Value !== undefined) return BigInt(proto.int64Value);
  if (proto.uint64Value !== undefined) return new cel.Uint(BigInt(proto.uint64Value));
  if (proto.doubleValue !== undefined) return Number(proto.doubleValue);
  if (proto.bytesValue !== undefined) return Uint8Array.from(Buffer.from(proto.bytesValue, "base64"));
  if (proto.typeValue !== undefined) return new cel.TypeValue(proto.typeValue);
  if (proto.objectValue !== undefined) return wellKnown(proto.objectValue);
  if (proto.listValue !== undefined) {
    const values = (proto.listValue.values ?? []).map(toValue);
    return values.includes(undefined) ? undefined : new cel.ValueList(values as Value[]);
  }
  if (proto.mapValue !== undefined) {
    const entries = (proto.mapValue.entries ?? []).map(({ key, value }) => [toValue(key), toValue(value)] as const);
    return entries.flat().includes(undefined) ? undefined : new cel.ValueMap(entries as [Value, Value][]);
  }
  return proto.stringValue ?? proto.boolValue ?? (proto.nullValue === null ? null : undefined);
};

const primitives: Readonly<Record<string, CelType>> = {
  BOOL: cel.bool,
  INT64: cel.int,
  UINT64: cel.uint,
  DOUBLE: cel.double,
  STRING: cel.string,
  BYTES: cel.bytes,
  TIMESTAMP: cel.timestamp,
  DURATION: cel.duration,
  ANY: cel.dyn,
};

/** The type, or undefined if it is a message or a wrapper. */
export const toType = (proto: ProtoType): CelType | undefined => {
  const named = primitives[proto.primitive ?? proto.wellKnown ?? ""];
  if (named !== undefined) return named;
  if (proto.null === null) return cel.nullType;
  if (proto.dyn !== undefined) return cel.dyn;
  if (proto.type !== undefined) return cel.typeOf(cel.dyn);
  if (proto.listType !== undefined) {
    const element = toType(proto.listType.elemType ?? { dyn: {} });
    return element && cel.list(element);
  }
  if (proto.mapType !== undefined) {
    const [key, value] = [toType(proto.mapType.keyType), toType(proto.mapType.valueType)];
    return key && value && cel.map(key, value);
  }
  if (proto.abstractType?.name === "optional_type") {
    const inner = toType(proto.abstractType.parameterTypes?.[0] ?? { dyn: {} });
    return inner && cel.optional(inner);
  }
  return undefined;
};
