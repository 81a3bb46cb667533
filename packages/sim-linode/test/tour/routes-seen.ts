import { isJsonObject } from "@capstan/schema";
import type { Route, Shape } from "@capstan/simulation";
import { linodeRoutes } from "../../src/simulator.ts";
import type { Seen } from "./tourist.ts";

type AnyRoute = Pick<Route<never>, "method" | "path" | "body">;

/** Method and path with values as `*`. */
export const familyOf = ({ method, path }: Pick<AnyRoute, "method" | "path">): string =>
  `${method} ${path.replaceAll(/:\w+/g, "*")}`;

/** The operation that a request was for; literal paths win over values. */
export const routeOf = ({ method, path }: Pick<Seen, "method" | "path">): AnyRoute => {
  const fits = linodeRoutes.filter(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path),
  );
  const [found] = fits.toSorted((a, b) => (a.path.match(/:/g)?.length ?? 0) - (b.path.match(/:/g)?.length ?? 0));
  if (found === undefined) throw new Error(`no operation for ${method} ${path}`);
  return found;
};

/** Every field of a shape, as a path such as `configs[].nodes[].address`. */
export const fieldsOf = (shape: Shape, at = ""): readonly string[] => {
  if (shape.type === "array") return fieldsOf(shape.items, `${at}[]`);
  if (shape.type === "bytes") return [];
  if (shape.type !== "object") return [at];
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    field.readOnly === true ? [] : fieldsOf(field, at === "" ? name : `${at}.${name}`),
  );
};

/** Every field that a body has, as `fieldsOf` names them; a list without entries, or null, stands for all that could be in it. */
export const fieldsIn = (body: unknown, shape: Shape, at = ""): readonly string[] => {
  if (body === undefined) return [];
  if (shape.type === "array") {
    const items = (body ?? []) as readonly unknown[];
    return items.length === 0 ? fieldsOf(shape, at) : items.flatMap((item) => fieldsIn(item, shape.items, `${at}[]`));
  }
  if (shape.type !== "object") return [at];
  if (!isJsonObject(body)) return fieldsOf(shape, at);
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    fieldsIn(body[name], field, at === "" ? name : `${at}.${name}`),
  );
};
