import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { type Hook, type HookServer, startHookServer } from "./hook-server.ts";
import type { Section } from "./suite.ts";

const group = "hooked.capstan.test";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const schema = {
  openAPIV3Schema: {
    type: "object",
    properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  },
};

/** `spec.size` of v1 is `spec.extent` of v2. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test object
const converted = (object: any, apiVersion: string): object => {
  const value = object.spec.size ?? object.spec.extent;
  return { ...object, apiVersion, spec: apiVersion.endsWith("/v1") ? { size: value } : { extent: value } };
};

const convert: Hook = ({ objects, desiredAPIVersion }) => ({
  response: {
    result: { status: "Success" },
    convertedObjects: (objects as readonly object[]).map((object) => converted(object, desiredAPIVersion)),
  },
});

/** Conversion webhooks. */
export const conversionWebhooks: Section = (suite) => {
  let server: HookServer;
  const hooked = (version: string): string => `/apis/${group}/${version}/namespaces/${suite().namespace}/hooks`;

  beforeAll(async () => {
    server = await startHookServer();
    const { api } = suite();
    const clientConfig = { url: `${server.url}/convert`, caBundle: server.caBundle };
    const versions = ["v1", "v2"].map((name) => ({ name, served: true, storage: name === "v1", schema }));
    const names = { plural: "hooks", kind: "Hook" };
    const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
    const spec = { group, scope: "Namespaced", names, versions, conversion };
    expectCode(await api.post(crds, { metadata: { name: `hooks.${group}` }, spec }), 201);
    await eventually(async () => expectCode(await api.get(hooked("v1")), 200));
  });

  afterAll(async () => {
    await suite().api.delete(`${crds}/hooks.${group}`);
    await server.close();
  });

  const create = (version: string, name: string, spec: object) =>
    suite().api.post(hooked(version), { apiVersion: `${group}/${version}`, kind: "Hook", metadata: { name }, spec });

  it("I22 converts what is created, read and listed in the other version", async () => {
    const { api } = suite();
    server.reset({ "/convert": convert });
    const created = await create("v2", "i22", { extent: 3 });
    expectCode(created, 201);
    expect(created.body).toMatchObject({ apiVersion: `${group}/v2`, spec: { extent: 3 } });
    expect(server.calls[0]?.review).toMatchObject({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      request: { desiredAPIVersion: `${group}/v1`, objects: [{ apiVersion: `${group}/v2`, spec: { extent: 3 } }] },
    });
    expect((await api.get(`${hooked("v1")}/i22`)).body.spec).toEqual({ size: 3 });
    expect((await api.get(`${hooked("v2")}/i22`)).body.spec).toEqual({ extent: 3 });
    const list = (await api.get(hooked("v2"))).body;
    expect([list.apiVersion, list.items.length, list.items[0].spec]).toEqual([`${group}/v2`, 1, { extent: 3 }]);
  });

  it.each<[string, Hook, RegExp]>([
    ["refuses", () => ({ response: { result: { status: "Failure", message: "no way" } } }), /no way/],
    ["answers 500", () => ({ raw: "{}", code: 500 }), /^conversion .* failed: /],
  ])("I23 fails when the webhook %s", async (_, hook, message) => {
    server.reset({ "/convert": hook });
    expectStatus(await create("v2", "i23", { extent: 1 }), 500, { message });
  });
};
