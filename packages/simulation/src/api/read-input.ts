import { own } from "@capstan/schema";
import { violation } from "../http/refusal.ts";
import type { ServiceRequest } from "../http/service.ts";
import { checkShape, readText } from "./check-shape.ts";
import type { Route } from "./route.ts";
import type { Fields } from "./shape.ts";
import { withoutReadOnly } from "./without-read-only.ts";

interface Known {
  readonly query?: Fields;
  readonly headers?: readonly string[];
}

/** Query and body of a request, checked strictly against its route and against what the whole API knows. */
export const readInput = (
  request: ServiceRequest,
  route: Pick<Route<never>, "query" | "headers" | "body" | "bodyType">,
  api: Known,
): { readonly query: object; readonly body: unknown } => {
  const query = readQuery(request.query, { ...api.query, ...route.query });
  checkHeaders(request, route.headers ?? [], api.headers ?? []);
  return { query, body: readBody(request, route) };
};

const readQuery = (query: string, known: Fields): object => {
  const values = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(query)) {
    const shape = own(known, name);
    if (shape === undefined) throw violation(`unknown query parameter ${name}`, name);
    if (values.has(name)) throw violation(`the query parameter ${name} is given twice`, name);
    values.set(name, readText(value, shape, name));
  }
  return Object.fromEntries(values);
};

const checkHeaders = ({ headers }: ServiceRequest, allowed: readonly string[], special: readonly string[]): void => {
  const known = new Set(allowed.map((name) => name.toLowerCase()));
  for (const name of special) {
    const given = headers[name.toLowerCase()] !== undefined;
    if (given && !known.has(name.toLowerCase())) throw violation(`this operation does not take the header ${name}`);
  }
};

const readBody = ({ body: bytes }: ServiceRequest, { body, bodyType = "json" }: Parameters<typeof readInput>[1]) => {
  if (body?.type === "bytes") return bytes;
  const text = Buffer.from(bytes).toString();
  if (body === undefined) {
    if (text !== "" && text !== "{}") throw violation("this operation takes no body");
    return {};
  }
  const value = bodyType === "form" ? Object.fromEntries(new URLSearchParams(text)) : parse(text === "" ? "{}" : text);
  checkShape(value, body);
  return withoutReadOnly(value, body);
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw violation(`the body is not JSON: ${(cause as Error).message}`);
  }
};
