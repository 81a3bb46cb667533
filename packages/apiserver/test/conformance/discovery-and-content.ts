import { expect, it } from "vitest";
import { gadgetCrd } from "./crds.ts";
import { eventually, expectCode, expectPageNotFound, expectStatus } from "./expectations.ts";
import { aggregated, configMap, configMaps, coreApi, group, widgets } from "./objects.ts";
import type { Section } from "./suite.ts";

/** Discovery and content. */
export const discoveryAndContent: Section = (suite) => {
  it("A01 shows its version to anybody", async () => {
    const answer = await suite().api.get("/version", { as: "nobody" });
    expectCode(answer, 200);
    for (const member of ["major", "minor", "gitVersion"]) {
      expect(answer.body[member]).toBeTypeOf("string");
    }
  });

  it("A02 shows its health to anybody", async () => {
    for (const path of ["/healthz", "/livez", "/readyz"]) {
      const answer = await suite().api.get(path, { as: "nobody" });
      expectCode(answer, 200);
      expect(answer.text).toBe("ok");
    }
    expectStatus(await suite().api.get("/livez/ping", { as: "nobody" }), 403, { reason: "Forbidden" });
    expectCode(await suite().api.get("/livez/ping"), 200);
    const verbose = await suite().api.get("/readyz", { query: { verbose: "" } });
    expect(verbose.text).toMatch(/\[\+\]ping ok\n(?:.*\n)*readyz check passed/);
  });

  it("A03 refuses the root and the groups to the anonymous", async () => {
    for (const path of ["/", "/apis"]) {
      const answer = await suite().api.get(path, { as: "nobody" });
      expectStatus(answer, 403, { reason: "Forbidden", message: `User "system:anonymous" cannot get path "${path}"` });
    }
  });

  it("A04 refuses an unknown token", async () => {
    expectStatus(await suite().api.get("/api/v1/namespaces", { as: "no-such-token" }), 401, { reason: "Unauthorized" });
  });

  it("A05 lists the core versions", async () => {
    const { body } = await suite().api.get("/api");
    expect(body).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
  });

  it("A06 lists the groups with a preferred version each", async () => {
    const { body } = await suite().api.get("/apis");
    expect(body.kind).toBe("APIGroupList");
    for (const listed of body.groups) {
      expect(listed.preferredVersion.groupVersion).toBe(listed.versions[0].groupVersion);
    }
    expect(body.groups.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["apps", "rbac.authorization.k8s.io", "coordination.k8s.io"]),
    );
  });

  it("A07 answers aggregated discovery", async () => {
    const { api } = suite();
    const core = await api.get("/api", { accept: aggregated });
    expectCode(core, 200);
    expect(core.headers["content-type"]).toBe(aggregated);
    expect(core.headers["vary"]).toContain("Accept");
    expect(core.body).toMatchObject({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" });
    expect(core.body.items[0].metadata.name).toBeUndefined();
    const pods = core.body.items[0].versions[0].resources.find(
      ({ resource }: { resource: string }) => resource === "pods",
    );
    expect(pods).toMatchObject({ scope: "Namespaced", singularResource: "pod", shortNames: ["po"] });
    // A group that is still being added changes what comes between the two answers.
    await eventually(async () => {
      const groups = await api.get("/apis", { accept: aggregated });
      expect(groups.body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toContain("apps");
      const etag = groups.headers["etag"] ?? "";
      expect(etag).toMatch(/^".+"$/);
      const again = await api.get("/apis", { accept: aggregated, headers: { "if-none-match": etag } });
      expectCode(again, 304);
    });
  });

  it("A08 answers 404 as text for unknown groups and versions", async () => {
    const unknown = ["/apis/nope.example", "/apis/nope.example/v1", `/apis/${group}/v9`, `/apis/${group}/v1/nopes`];
    for (const path of [...unknown, "/nope", "//api/v1/namespaces"]) {
      expectPageNotFound(await suite().api.get(path));
    }
  });

  it("A09 answers 404 as Status for what is unknown in a built-in group", async () => {
    for (const path of [
      "/api/v1/nopes",
      "/api/v2",
      "/apis/apps/v9",
      "/apis/apps/v9/deployments",
      "/api/v1//namespaces",
    ]) {
      expectStatus(await suite().api.get(path), 404, {
        reason: "NotFound",
        message: "the server could not find the requested resource",
      });
    }
  });

  it("A10 lists the OpenAPI documents", async () => {
    const { body } = await suite().api.get("/openapi/v3");
    expect(body.paths["api/v1"].serverRelativeURL).toMatch(/^\/openapi\/v3\/api\/v1\?hash=.+/);
    expect(body.paths["apis/apps/v1"].serverRelativeURL).toMatch(/hash=/);
  });

  it("A11 serves OpenAPI documents by hash", async () => {
    const { api } = suite();
    const url = (await api.get("/openapi/v3")).body.paths["api/v1"].serverRelativeURL as string;
    const right = await api.get(url);
    expectCode(right, 200);
    expect(right.headers["cache-control"]).toContain("immutable");
    expect(right.body.components.schemas["io.k8s.api.core.v1.ConfigMap"]["x-kubernetes-group-version-kind"]).toEqual([
      { group: "", version: "v1", kind: "ConfigMap" },
    ]);
    const wrong = await api.get("/openapi/v3/api/v1", { query: { hash: "ABC" } });
    expectCode(wrong, 301);
    expect(wrong.headers["location"]).toContain(url.split("hash=")[1] ?? "no hash");
    const without = await api.get("/openapi/v3/api/v1");
    expectCode(without, 200);
    expect(without.headers["etag"]).toMatch(/^".+"$/);
  });

  it("A12 knows the methods of each path", async () => {
    const { api, namespace } = suite();
    await api.post(configMaps(namespace), configMap("a12"));
    const answers = [
      await api.post(`${configMaps(namespace)}/a12`, configMap("a12")),
      await api.put(configMaps(namespace), configMap("a12")),
      await api.post(`${coreApi}/configmaps`, configMap("a12")),
      await api.delete(`${coreApi}/namespaces`),
    ];
    for (const answer of answers) {
      expectStatus(answer, 405, { reason: "MethodNotAllowed" });
    }
  });

  it("A13 refuses formats it cannot write", async () => {
    const { api, namespace } = suite();
    expectStatus(await api.get(configMaps(namespace), { accept: "text/plain" }), 406, { reason: "NotAcceptable" });
    const unknownVersion = "application/json;as=Table;v=v9;g=meta.k8s.io";
    expectStatus(await api.get(configMaps(namespace), { accept: unknownVersion }), 406, { reason: "NotAcceptable" });
    expectCode(await api.get(configMaps(namespace), { accept: `${unknownVersion},application/json` }), 200);
  });

  it("A14 refuses bodies it cannot read", async () => {
    const { api, namespace } = suite();
    const answer = await api.post(configMaps(namespace), "text", { type: "text/plain" });
    expectStatus(answer, 415, { reason: "UnsupportedMediaType" });
  });

  it("A15 refuses patches of an unknown type", async () => {
    const { api, namespace } = suite();
    const answer = await api.call("PATCH", `${configMaps(namespace)}/a12`, { body: {}, type: "application/json" });
    expectStatus(answer, 415, { reason: "UnsupportedMediaType" });
  });

  it("A16 reads and writes YAML", async () => {
    const { api, namespace } = suite();
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a16\ndata:\n  key: value\n";
    expectCode(await api.post(configMaps(namespace), text, { type: "application/yaml" }), 201);
    const answer = await api.get(`${configMaps(namespace)}/a16`, { accept: "application/yaml" });
    expectCode(answer, 200);
    expect(answer.headers["content-type"]).toContain("application/yaml");
    expect(answer.text).toMatch(/^data:\n {2}key: value$/m);
  });

  it("A17 serves a custom kind once it is defined", async () => {
    const { api, namespace } = suite();
    const plural = "latecomers";
    const crd = {
      ...gadgetCrd,
      metadata: { name: `${plural}.${group}` },
      spec: { ...gadgetCrd.spec, scope: "Namespaced", names: { plural, kind: "Latecomer" } },
    };
    const path = `/apis/${group}/v1/namespaces/${namespace}/${plural}`;
    expectPageNotFound(await api.get(path));
    expectCode(await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd), 201);
    await eventually(async () => expectCode(await api.get(path), 200));
    const gone = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`;
    expectCode(await api.delete(gone), 200);
    await eventually(async () => expectPageNotFound(await api.get(path)));
    await eventually(async () => {
      const { resources } = (await api.get(`/apis/${group}/v1`)).body;
      expect(resources.map(({ name }: { name: string }) => name)).not.toContain(plural);
    });
  });

  it("A18 describes a custom group", async () => {
    const { body } = await suite().api.get(`/apis/${group}`);
    expect(body).toMatchObject({ kind: "APIGroup", name: group, preferredVersion: { version: "v1" } });
    expect(body.versions.map(({ version }: { version: string }) => version)).toEqual(["v1", "v1beta1"]);
  });

  it("A19 lists the resources of a custom group", async () => {
    const { body } = await suite().api.get(`/apis/${group}/v1`);
    const names = body.resources.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(["gadgets", "widgets", "widgets/scale", "widgets/status"]);
    const scale = body.resources.find(({ name }: { name: string }) => name === "widgets/scale");
    expect(scale).toMatchObject({
      group: "autoscaling",
      version: "v1",
      kind: "Scale",
      verbs: ["get", "patch", "update"],
    });
  });

  it("A20 answers JSON to those who prefer protobuf", async () => {
    const { api, namespace } = suite();
    const accept = "application/vnd.kubernetes.protobuf,application/json";
    const answer = await api.get(widgets(namespace), { accept });
    expectCode(answer, 200);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.body.kind).toBe("WidgetList");
  });

  it("A21 knows neither HEAD nor OPTIONS on objects", async () => {
    const { api, namespace } = suite();
    for (const method of ["HEAD", "OPTIONS"]) {
      expect((await api.call(method, `${configMaps(namespace)}/a12`)).code).toBe(405);
    }
  });

  it("A22 reads protobuf bodies", async () => {
    // runtime.Unknown { typeMeta { authentication.k8s.io/v1, SelfSubjectReview } raw: empty object }
    const type = Buffer.concat([
      Buffer.from([0x0a, 24]),
      Buffer.from("authentication.k8s.io/v1"),
      Buffer.from([0x12, 17]),
      Buffer.from("SelfSubjectReview"),
    ]);
    const body = Buffer.concat([
      Buffer.from("6b3873000a", "hex"),
      Buffer.from([type.length]),
      type,
      Buffer.from("12021200", "hex"),
    ]);
    const answer = await suite().api.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
      as: "alice",
      body,
      type: "application/vnd.kubernetes.protobuf",
    });
    expectCode(answer, 201);
    expect(answer.body.status.userInfo).toMatchObject({ username: "alice" });
    expect(answer.body.status.userInfo.groups).toEqual(expect.arrayContaining(["devs", "system:authenticated"]));
  });

  it("gives every answer an audit id, and ignores a slash at the end", async () => {
    const { api } = suite();
    const answer = await api.get("/api/v1/namespaces/", { query: { timeout: "5s" } });
    expectCode(answer, 200);
    expect(answer.headers["audit-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
};
