/**
 * An operation of the API. In its path `:name` stands for a number and `$name` for a text. What it is called with and what it answers
 * is only in its type: `Takes` is `undefined` if it takes nothing.
 */
export interface Operation<
  Path extends string = string,
  Takes = unknown,
  Answer = unknown,
  Many extends boolean = boolean,
> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: Path;
  /** True if it returns pages of a list. */
  readonly many: Many;
  /** Its input in addition to the path: a body, parameters of the query, or nothing. */
  readonly takes: "body" | "query" | "nothing";
  /** The media type of a body that is not JSON. */
  readonly mediaType?: string;
  /** An answer that is not JSON. */
  readonly answers?: "bytes";
  /** The field of the answer that is handed on. */
  readonly field?: string;
  /** Lifetime of a cached response, in milliseconds. */
  readonly cacheMs?: number;
  /** Only for the type. */
  readonly types?: readonly [Takes, Answer];
}

type Type<T> = () => T;

/** Names a type where a value is needed: `of<Instance>`. */
export const of = <T>(): T => undefined as never;

interface Reading {
  readonly cacheMs?: number;
  readonly field?: string;
}

/** A list in pages. */
export const lists = <const P extends string, T>(
  path: P,
  _item: Type<T>,
  reading: Reading = {},
): Operation<P, undefined, T, true> => ({ method: "GET", path, many: true, takes: "nothing", ...reading });

/** One thing, or a list that has no pages. */
export const reads = <const P extends string, T>(
  path: P,
  _answer: Type<T>,
  reading: Reading = {},
): Operation<P, undefined, T, false> => ({ method: "GET", path, many: false, takes: "nothing", ...reading });

/** Something that is asked for with parameters. */
export const queries = <const P extends string, Q, T>(
  path: P,
  _query: Type<Q>,
  _answer: Type<T>,
): Operation<P, Q, T, false> => ({ method: "GET", path, many: false, takes: "query" });

export const posts = <const P extends string, B, T = void>(
  path: P,
  _body: Type<B>,
  _answer?: Type<T>,
): Operation<P, B, T, false> => ({ method: "POST", path, many: false, takes: "body" });

/** A POST without anything to say. */
export const acts = <const P extends string, T = void>(
  path: P,
  _answer?: Type<T>,
): Operation<P, undefined, T, false> => ({ method: "POST", path, many: false, takes: "nothing" });

export const puts = <const P extends string, B, T = void>(
  path: P,
  _body: Type<B>,
  _answer?: Type<T>,
): Operation<P, B, T, false> => ({ method: "PUT", path, many: false, takes: "body" });

/** A file. */
export const readsBytes = <const P extends string>(path: P): Operation<P, undefined, Uint8Array, false> => ({
  method: "GET",
  path,
  many: false,
  takes: "nothing",
  answers: "bytes",
});

/** Takes a file. */
export const putsBytes = <const P extends string>(
  path: P,
  mediaType: string,
): Operation<P, Uint8Array, void, false> => ({ method: "PUT", path, many: false, takes: "body", mediaType });

export const deletes = <const P extends string>(path: P): Operation<P, undefined, void, false> => ({
  method: "DELETE",
  path,
  many: false,
  takes: "nothing",
});
