import { fakeClock } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect, createClient, createDiscovery } from "../src/index.ts";
import { jsonServer } from "./json-server.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const served: Record<string, unknown> = {
  "/apis/test.capstan.dev": {
    preferredVersion: { version: "v1" },
    versions: [{ version: "v2alpha1" }, { version: "v1" }],
  },
  "/apis/test.capstan.dev/v1": {
    resources: [
      { name: "widgets", kind: "Widget", namespaced: true },
      { name: "widgets/status", kind: "Widget", namespaced: true },
    ],
  },
  "/apis/test.capstan.dev/v2alpha1": { resources: [{ name: "gadgets", kind: "Gadget", namespaced: false }] },
  "/api/v1": { resources: [{ name: "secrets", kind: "Secret", namespaced: true }] },
};

it("finds kinds in the preferred version first, asks once, and asks again for what was missing", async () => {
  const answers = { ...served };
  const server = await jsonServer(({ path }) => (path in answers ? { code: 200, body: answers[path] } : { code: 404 }));
  closing.push(() => server.stop());
  const connection = connect({ url: server.url, clock: fakeClock() });
  closing.push(() => connection.close());
  const discovery = createDiscovery(createClient(connection));
  const group = "test.capstan.dev";
  const widget = await discovery.resourceFor({ group, kind: "Widget" });
  expect(widget).toEqual({ group, version: "v1", kind: "Widget", plural: "widgets", namespaced: true });
  expect(await discovery.resourceFor({ group, kind: "Gadget" })).toMatchObject({
    version: "v2alpha1",
    namespaced: false,
  });
  expect(await discovery.resourceFor({ group: "", kind: "Secret" })).toMatchObject({
    plural: "secrets",
    version: "v1",
  });
  const asked = server.requests.length;
  await discovery.resourceFor({ group, kind: "Widget", version: "v1" });
  expect(await discovery.versions(group)).toEqual(["v1", "v2alpha1"]);
  expect(server.requests).toHaveLength(asked);
  answers["/api/v1"] = { resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true }] };
  expect(await discovery.resourceFor({ group: "", kind: "ConfigMap" })).toMatchObject({ plural: "configmaps" });
  expect(await discovery.resourceFor({ group, kind: "Gizmo" })).toBeUndefined();
  expect(await discovery.versions("none.test")).toEqual([]);
  answers[`/apis/${group}/v1`] = { resources: [{ name: "gizmos", kind: "Gizmo", namespaced: true }] };
  expect(await discovery.resourceFor({ group, kind: "Gizmo" })).toMatchObject({ plural: "gizmos" });
});
