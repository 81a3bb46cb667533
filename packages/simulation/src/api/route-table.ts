import { literalPattern } from "../text/literal-pattern.ts";
import { byText } from "@capstan/kube-values";
import { violation } from "../http/refusal.ts";
import type { Route } from "./route.ts";

export interface Matched<W> {
  readonly route: Route<W>;
  readonly params: Readonly<Record<string, string>>;
  /** Method and path with values as `*`. */
  readonly family: string;
}

interface Entry<W> {
  readonly route: Route<W>;
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly family: string;
  /** Sorts the routes: literal segments come before values, and values before rests. */
  readonly rank: string;
}

/** The routes of an API by path. Where several fit, literal segments win over values, whatever the order of the routes. */
export class RouteTable<W> {
  readonly #entries: readonly Entry<W>[];

  constructor(routes: readonly Route<W>[], { anyCase = false }: { readonly anyCase?: boolean } = {}) {
    this.#entries = routes.map((route) => entryOf(route, anyCase)).sort((a, b) => byText(a.rank, b.rank));
  }

  /** Unknown paths and methods are violations that say which it was. */
  match(method: string, path: string): Matched<W> {
    const plain = path.replace(/^\//, "");
    const fitting = this.#entries.flatMap((entry) => {
      const found = entry.expression.exec(plain);
      return found === null ? [] : [{ ...entry, values: found.slice(1) }];
    });
    const found = fitting.find(({ route }) => route.method === method);
    if (found === undefined) {
      throw fitting.length === 0
        ? violation(`${path} is not a path of this API`, undefined, "UnknownPath")
        : violation(`${path} does not know the method ${method}`, undefined, "UnknownMethod");
    }
    const { route, names, family, values } = found;
    const params = Object.fromEntries(names.map((name, index) => [name, unescape(values[index] ?? "", path)]));
    return { route, params, family };
  }
}

const entryOf = <W>(route: Route<W>, anyCase: boolean): Entry<W> => {
  const segments = route.path.replace(/^\//, "").split("/");
  const parts = segments.map(partOf);
  return {
    route,
    names: parts.flatMap(({ name }) => (name === undefined ? [] : [name])),
    expression: new RegExp(`^${parts.map(({ pattern }) => pattern).join("/")}$`, anyCase ? "i" : ""),
    family: `${route.method} ${route.path.replaceAll(/:\w+\+?/g, "*")}`,
    rank: parts.map(({ rank }) => rank).join(""),
  };
};

const partOf = (
  segment: string,
): { readonly name?: string; readonly pattern: string; readonly rank: "a" | "b" | "c" } => {
  const [, name, rest] = /^:(\w+)(\+?)$/.exec(segment) ?? [];
  if (name === undefined) return { pattern: literalPattern(segment), rank: "a" };
  return rest === "" ? { name, pattern: "([^/]+)", rank: "b" } : { name, pattern: "(.+)", rank: "c" };
};

const unescape = (value: string, path: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    throw violation(`${path} cannot be unescaped`);
  }
};
