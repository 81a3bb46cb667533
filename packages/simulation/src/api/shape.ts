/** Values that an API accepts in one place of a request. */
export type Shape =
  | StringShape
  | NumberShape
  | BooleanShape
  | ArrayShape
  | ObjectShape
  | StringsShape
  | BytesShape
  | JsonShape;

interface AnyShape {
  readonly nullable?: boolean;
  /** A field that clients send back as they read it: it is checked, but its handler does not see it. */
  readonly readOnly?: boolean;
}

/** Any JSON. */
export interface JsonShape extends AnyShape {
  readonly type: "json";
}

export interface StringShape extends AnyShape {
  readonly type: "string";
  readonly min?: number;
  readonly max?: number;
  readonly enum?: readonly string[];
  readonly pattern?: RegExp;
  readonly format?: Format;
}

/** Format of a text; `network` is an address with the length of its prefix. */
export type Format = "digits" | "email" | "url" | "ip" | "ipv4" | "ipv6" | "network";

export interface NumberShape extends AnyShape {
  readonly type: "integer" | "number";
  readonly min?: number;
  readonly max?: number;
  readonly enum?: readonly number[];
}

export interface BooleanShape extends AnyShape {
  readonly type: "boolean";
}

export interface ArrayShape extends AnyShape {
  readonly type: "array";
  readonly items: Shape;
  readonly min?: number;
  readonly max?: number;
}

/** Fields by name; it has no others. */
export interface ObjectShape extends AnyShape {
  readonly type: "object";
  /** It may have any others, as clients have read them; they change nothing. */
  readonly open?: boolean;
  readonly fields: Fields;
  readonly required?: readonly string[];
}

/** An object of strings with any names. */
export interface StringsShape extends AnyShape {
  readonly type: "strings";
}

/** A whole body as it came, in any format. */
export interface BytesShape extends AnyShape {
  readonly type: "bytes";
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
/** Clients may send it back as they read it; it changes nothing. */
export const readOnly = <const S extends Shape>(shape: S): S & { readonly readOnly: true } => ({
  ...shape,
  readOnly: true,
});
export const list = <S extends Shape>(
  items: S,
  max = Number.POSITIVE_INFINITY,
): { readonly type: "array"; readonly items: S; readonly max: number } => ({ type: "array", items, max });

/** Shape that `object` returns. */
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

/** The same object, which may have any other fields. */
export const open = <S extends ObjectShape>(shape: S): S & { readonly open: true } => ({ ...shape, open: true });

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
                readonly [K in Exclude<Seen<F>, R>]?: ValueOf<F[K]>;
              }
            >
          : S extends { readonly type: "object"; readonly fields: infer F }
            ? { readonly [K in Seen<F>]?: ValueOf<F[K]> }
            : S extends { readonly type: "strings" }
              ? Readonly<Record<string, string>>
              : S extends { readonly type: "bytes" }
                ? Uint8Array
                : unknown;

type Merged<T> = { [K in keyof T]: T[K] };

/** The fields that handlers see. */
type Seen<F> = { [K in keyof F]: F[K] extends { readonly readOnly: true } ? never : K }[keyof F];
