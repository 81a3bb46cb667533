/** What an API accepts for one value of a request. */
export type Shape =
  | StringShape
  | NumberShape
  | BooleanShape
  | ArrayShape
  | ObjectShape
  | StringsShape
  | BytesShape
  /** Any JSON. */
  | { readonly type: "json"; readonly nullable?: boolean };

export interface StringShape {
  readonly type: "string";
  readonly min?: number;
  readonly max?: number;
  readonly enum?: readonly string[];
  readonly pattern?: RegExp;
  readonly format?: Format;
  readonly nullable?: boolean;
}

/** What a text stands for; `network` is an address with the length of its prefix. */
export type Format = "digits" | "email" | "url" | "ip" | "ipv4" | "ipv6" | "network";

export interface NumberShape {
  readonly type: "integer" | "number";
  readonly min?: number;
  readonly max?: number;
  readonly enum?: readonly number[];
  readonly nullable?: boolean;
}

export interface BooleanShape {
  readonly type: "boolean";
  readonly nullable?: boolean;
}

export interface ArrayShape {
  readonly type: "array";
  readonly items: Shape;
  readonly min?: number;
  readonly max?: number;
  readonly nullable?: boolean;
}

/** Fields by name; it has no others. */
export interface ObjectShape {
  readonly type: "object";
  readonly fields: Fields;
  readonly required?: readonly string[];
  readonly nullable?: boolean;
}

/** An object of strings with any names. */
export interface StringsShape {
  readonly type: "strings";
  readonly nullable?: boolean;
}

/** A whole body as it came, in any format. */
export interface BytesShape {
  readonly type: "bytes";
  readonly nullable?: boolean;
}

export type Fields = Readonly<Record<string, Shape>>;

type TextLimits = Omit<StringShape, "type">;

export const text = <const L extends TextLimits = object>(limits?: L): { readonly type: "string" } & L => ({
  type: "string",
  ...(limits as L),
});
export const integer = { type: "integer" } as const satisfies Shape;
export const boolean = { type: "boolean" } as const satisfies Shape;
export const bytes = { type: "bytes" } as const satisfies Shape;
export const json = { type: "json" } as const satisfies Shape;
export const list = <S extends Shape>(
  items: S,
  max = Number.POSITIVE_INFINITY,
): { readonly type: "array"; readonly items: S; readonly max: number } => ({ type: "array", items, max });

/** What `object` makes. */
export interface ObjectOf<F extends Fields, R extends string> {
  readonly type: "object";
  readonly fields: F;
  readonly required: readonly R[];
}

/** An object with these fields, of which some have to be there. */
export const object = <const F extends Fields, const R extends keyof F & string = never>(
  fields: F,
  required: readonly R[] = [],
  // What an object is a field of says nothing of its own fields.
): ObjectOf<F, NoInfer<R>> => ({ type: "object", fields, required });

/** The type of the values that a shape lets pass. */
export type ValueOf<S> = S extends { readonly nullable: true } ? NonNullValueOf<S> | null : NonNullValueOf<S>;

type NonNullValueOf<S> = S extends { readonly type: "string" }
  ? S extends { readonly enum: readonly (infer E)[] }
    ? E
    : string
  : S extends { readonly type: "integer" | "number" }
    ? number
    : S extends { readonly type: "boolean" }
      ? boolean
      : S extends { readonly type: "array"; readonly items: infer I }
        ? readonly ValueOf<I>[]
        : S extends { readonly type: "object"; readonly fields: infer F; readonly required: readonly (infer R)[] }
          ? Merged<
              { readonly [K in keyof F & R]: ValueOf<F[K]> } & {
                readonly [K in Exclude<keyof F, R>]?: ValueOf<F[K]>;
              }
            >
          : S extends { readonly type: "object"; readonly fields: infer F }
            ? { readonly [K in keyof F]?: ValueOf<F[K]> }
            : S extends { readonly type: "strings" }
              ? Readonly<Record<string, string>>
              : S extends { readonly type: "bytes" }
                ? Uint8Array
                : unknown;

type Merged<T> = { [K in keyof T]: T[K] };
