import { expect, it } from "vitest";
import { withoutWatchPath } from "./watch-path.ts";

const watched = (path: string, method = "GET"): string => {
  const { pathname, search } = withoutWatchPath(method, new URL(`https://server${path}`));
  return `${pathname}${decodeURIComponent(search)}`;
};

it.each([
  ["/api/v1/watch/nodes", "/api/v1/nodes?watch=true"],
  [
    "/api/v1/watch/namespaces/a/configmaps?resourceVersion=4",
    "/api/v1/namespaces/a/configmaps?resourceVersion=4&watch=true",
  ],
  [
    "/api/v1/watch/namespaces/a/configmaps/b",
    "/api/v1/namespaces/a/configmaps?watch=true&fieldSelector=metadata.name=b",
  ],
  ["/api/v1/watch/namespaces/a", "/api/v1/namespaces?watch=true&fieldSelector=metadata.name=a"],
  ["/apis/apps/v1/watch/deployments?watch=false", "/apis/apps/v1/deployments?watch=true"],
  [
    "/apis/g.test/v1/watch/things/a?fieldSelector=spec.b=c",
    "/apis/g.test/v1/things?fieldSelector=metadata.name=a,spec.b=c&watch=true",
  ],
])("%s watches %s", (path, list) => expect(watched(path)).toBe(list));

it.each([
  "/api/v1/watch",
  "/apis/g.test/v1/watch",
  "/api/v1/watch/namespaces/a/pods/b/log",
  "/api/v1/namespaces/watch/pods",
])("%s is no such path", (path) => expect(watched(path)).toBe(path));

it("watches by GET alone", () => expect(watched("/api/v1/watch/nodes", "POST")).toBe("/api/v1/watch/nodes"));
