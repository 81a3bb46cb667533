import { afterAll, beforeAll, describe } from "vitest";
import type { ApiServer } from "../src/index.ts";
import { type Api, createApi, type Target } from "./conformance/api.ts";
import { widgetCrd } from "./conformance/crds.ts";
import { eventually, expectCode } from "./conformance/expectations.ts";
import { widgets } from "./conformance/objects.ts";
import { customResourceDefinitions } from "./conformance/custom-resource-definitions.ts";
import { customResources } from "./conformance/custom-resources.ts";
import { startTarget } from "./embedded-server.ts";

let server: ApiServer;
let target: Target;
let api: Api;
const namespace = "conf-h";

beforeAll(async () => {
  ({ server, target } = await startTarget());
  api = createApi(target);
  expectCode(await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgetCrd), 201);
  expectCode(await api.post("/api/v1/namespaces", { metadata: { name: namespace } }), 201);
  await eventually(async () => expectCode(await api.get(widgets(namespace)), 200));
});

afterAll(async () => {
  await api.close();
  await server.stop();
});

describe("H objects of custom kinds", () => customResources(() => ({ api, target, namespace })));
describe("H definitions of custom kinds", () => customResourceDefinitions(() => ({ api, target, namespace })));
