import { each, listAll, listPage } from "./collection.ts";
import type { Operation } from "./operation.ts";
import { pathOf } from "./path.ts";
import type { Transport } from "./transport.ts";
import type { CallOptions, ListOptions, Page } from "./types/api.ts";

/** The values that a path needs, in order. */
type Values<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? [...Value<Segment>, ...Values<Rest>]
  : Value<Path>;

type Value<Segment extends string> = Segment extends `:${string}`
  ? [id: number]
  : Segment extends `$${string}`
    ? [name: string]
    : [];

/** A body or query comes after the values; it may be left out if nothing in it is required. */
type Taken<Takes> = [Takes] extends [undefined] ? [] : object extends Takes ? [given?: Takes] : [given: Takes];

/** A list: called, it reads every page; `each` reads on as it is iterated over, and `page` reads one. */
export interface ListCall<Path extends string, T> {
  /** All of it, or only the page that the options name. */
  (...args: [...Values<Path>, options?: ListOptions]): Promise<readonly T[]>;
  /** One after the other; the next page is read when it is needed. */
  each(...args: [...Values<Path>, options?: ListOptions]): AsyncGenerator<T, void, undefined>;
  /** One page; default the first. */
  page(...args: [...Values<Path>, options?: ListOptions]): Promise<Page<T>>;
}

/** The signature of an operation: values of its path, its body or query, options. */
export type Call<O> =
  O extends Operation<infer Path, infer Takes, infer Answer, infer Many>
    ? Many extends true
      ? ListCall<Path, Answer>
      : (...args: [...Values<Path>, ...Taken<Takes>, options?: CallOptions]) => Promise<Answer>
    : never;

/** A table of operations, and of tables. */
export interface Operations {
  readonly [name: string]: Operation | Operations;
}

/** The calls of a table. */
export type Calls<T> = { readonly [K in keyof T]: T[K] extends Operation ? Call<T[K]> : Calls<T[K]> };

/** Makes the operations of a table into calls of one client. */
export const callsOf = <T extends Operations>(transport: Transport, table: T): Calls<T> =>
  Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      isOperation(entry) ? callOf(transport, entry) : callsOf(transport, entry),
    ]),
  ) as Calls<T>;

const isOperation = (entry: Operation | Operations): entry is Operation => typeof entry["method"] === "string";

type Args = readonly unknown[];

const callOf = (transport: Transport, operation: Operation): unknown => {
  const count = operation.path.match(/(?<=^|\/)[:$]/g)?.length ?? 0;
  const at = (args: Args) => pathOf(operation.path, args.slice(0, count) as readonly (string | number)[]);
  if (!operation.many) return (...args: Args) => once(transport, operation, at(args), args.slice(count));
  const { cacheMs } = operation;
  const options = (args: Args) => args[count] as ListOptions | undefined;
  return Object.assign((...args: Args) => listAll(transport, at(args), options(args), cacheMs), {
    each: (...args: Args) => each(transport, at(args), options(args), cacheMs),
    page: (...args: Args) => listPage(transport, at(args), options(args), cacheMs),
  });
};

const once = async (
  transport: Transport,
  { method, takes, field, cacheMs, mediaType, answers }: Operation,
  path: ReturnType<typeof pathOf>,
  rest: Args,
): Promise<unknown> => {
  const [given, options] = takes === "nothing" ? [undefined, rest[0]] : [rest[0] ?? {}, rest[1]];
  const answer = await transport.call<Readonly<Record<string, unknown>>>(
    {
      method,
      path,
      ...(takes === "query" ? { query: given as Readonly<Record<string, string | number>> } : {}),
      ...(takes === "body" ? { body: given } : method === "POST" ? { body: {} } : {}),
      ...(mediaType === undefined ? {} : { mediaType }),
      ...(answers === undefined ? {} : { answers }),
      ...(cacheMs === undefined ? {} : { cacheMs }),
    },
    options as CallOptions | undefined,
  );
  if (method === "DELETE") return undefined;
  return field === undefined ? answer : answer[field];
};
