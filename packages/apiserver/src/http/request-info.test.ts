import { describe, expect, it } from "vitest";
import { requestInfo } from "./request-info.ts";

const info = (method: string, path: string) => requestInfo(method, new URL(`https://x${path}`));

describe("requestInfo", () => {
  it.each([
    ["GET", "/api/v1/namespaces/ns/pods/p/log", "get /v1/ns/pods/p/log"],
    ["GET", "/api/v1/namespaces/ns/pods", "list /v1/ns/pods//"],
    ["GET", "/api/v1/pods?watch=true", "watch /v1//pods//"],
    ["GET", "/api/v1/pods?watch=0", "list /v1//pods//"],
    ["POST", "/apis/apps/v1/namespaces/ns/deployments", "create apps/v1/ns/deployments//"],
    ["PUT", "/apis/apps/v1/namespaces/ns/deployments/d/status", "update apps/v1/ns/deployments/d/status"],
    ["PATCH", "/api/v1/nodes/n", "patch /v1//nodes/n/"],
    ["DELETE", "/api/v1/namespaces/ns/pods", "deletecollection /v1/ns/pods//"],
    ["DELETE", "/api/v1/namespaces/ns", "delete /v1/ns/namespaces/ns/"],
    ["GET", "/api/v1/namespaces", "list /v1//namespaces//"],
    ["PUT", "/api/v1/namespaces/ns/finalize", "update /v1/ns/namespaces/ns/finalize"],
    ["GET", "/api/v1/pods/", "list /v1//pods//"],
    ["GET", "/api/v1//pods", "get /v1///pods/"],
    ["GET", "/apis/g/v1/things/a%2Fb", "get g/v1//things/a/b/"],
  ])("%s %s is %s", (method, path, expected) => {
    const { verb, isResource, group, version, namespace, resource, name, subresource } = info(method, path);
    expect(isResource).toBe(true);
    expect(`${verb} ${group}/${version}/${namespace}/${resource}/${name}/${subresource}`).toBe(expected);
  });

  it.each([
    ["GET", "/", "get /"],
    ["GET", "/api", "get /api"],
    ["GET", "/apis/apps/v1/", "get /apis/apps/v1"],
    ["GET", "//api/v1/pods", "get //api/v1/pods"],
    ["POST", "/healthz", "post /healthz"],
  ])("%s %s is not a resource", (method, path, expected) => {
    const { verb, path: clean, isResource } = info(method, path);
    expect(isResource).toBe(false);
    expect(`${verb} ${clean}`).toBe(expected);
  });
});
