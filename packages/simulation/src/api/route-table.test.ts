import { describe, expect, it } from "vitest";
import { RouteTable } from "./route-table.ts";
import type { Method, Route } from "./route.ts";

const route = (method: Method, path: string): Route<unknown> => ({ method, path, handle: () => undefined });

const table = new RouteTable<unknown>([
  route("GET", "/servers/:id"),
  route("GET", "/servers/available"),
  route("PUT", "/servers/:id"),
  route("GET", "/:scope+/locks/:name"),
  route("GET", "/servers/:id/locks/:name"),
  route("GET", "/files/:path+"),
  route("GET", "/v1.0/list(all)"),
]);

const found = (method: string, path: string) => {
  const { route: matched, params, family } = table.match(method, path);
  return { path: matched.path, params, family };
};

describe("match", () => {
  it("finds a route, its values and its family", () => {
    expect(found("PUT", "/servers/7")).toEqual({ path: "/servers/:id", params: { id: "7" }, family: "PUT /servers/*" });
    expect(found("GET", "servers/a%2Fb")).toMatchObject({ params: { id: "a/b" } });
  });

  it("prefers what is written out, wherever it stands", () => {
    expect(found("GET", "/servers/available").path).toBe("/servers/available");
    expect(found("GET", "/servers/7/locks/mine")).toMatchObject({ params: { id: "7", name: "mine" } });
  });

  it("takes rests of several segments, in front and at the end", () => {
    expect(found("GET", "/a/b/c/locks/mine").params).toEqual({ scope: "a/b/c", name: "mine" });
    expect(found("GET", "/files/a/b.txt")).toMatchObject({ params: { path: "a/b.txt" }, family: "GET /files/*" });
  });

  it("takes signs in a path for themselves", () => {
    expect(found("GET", "/v1.0/list(all)").path).toBe("/v1.0/list(all)");
    expect(() => table.match("GET", "/v1x0/list(all)")).toThrow("not a path");
  });

  it("minds the letter case unless the API does not", () => {
    expect(() => table.match("GET", "/Servers/7")).toThrow("not a path");
    const lax = new RouteTable([route("GET", "/resourceGroups/:name")], { anyCase: true });
    expect(lax.match("GET", "/RESOURCEGROUPS/Mine").params).toEqual({ name: "Mine" });
  });

  it.each([
    ["GET", "/machines", "/machines is not a path of this API", "UnknownPath"],
    ["GET", "/servers/", "/servers/ is not a path of this API", "UnknownPath"],
    ["GET", "/servers/7/", "/servers/7/ is not a path of this API", "UnknownPath"],
    ["DELETE", "/servers/7", "/servers/7 does not know the method DELETE", "UnknownMethod"],
    ["GET", "/servers/%zz", "/servers/%zz cannot be unescaped", undefined],
  ])("calls %s %s a violation", (method, path, message, code) => {
    expect(() => table.match(method, path)).toThrow(expect.objectContaining({ violation: true, message, code }));
  });
});
