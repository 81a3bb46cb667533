import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "../src/index.ts";
import { type Api, createApi } from "./conformance/api.ts";
import { widgetCrd } from "./conformance/crds.ts";
import { eventually, expectCode, expectPageNotFound, expectStatus } from "./conformance/expectations.ts";
import { widgets } from "./conformance/objects.ts";
import { startTarget } from "./embedded-server.ts";

const rbacApi = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const namespaces = "/api/v1/namespaces";

let server: ApiServer;
let api: Api;

/** Lets a user do what the rules say, in the namespace `team` alone. */
const grant = async (user: string, rules: readonly object[]): Promise<void> => {
  const roleRef = { apiGroup, kind: "Role", name: user };
  const subjects = [{ apiGroup, kind: "User", name: user }];
  const place = `${rbacApi}/namespaces/team`;
  expectCode(await api.post(`${place}/roles`, { metadata: { name: user }, rules }), 201);
  expectCode(await api.post(`${place}/rolebindings`, { metadata: { name: user }, roleRef, subjects }), 201);
};

beforeAll(async () => {
  const started = await startTarget();
  server = started.server;
  api = createApi(started.target);
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgetCrd);
  await eventually(async () => expectCode(await api.get(widgets("default")), 200));
  for (const name of ["team", "other"]) {
    expectCode(await api.post(namespaces, { metadata: { name } }), 201);
  }
  await grant("alice", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]);
});

afterAll(async () => {
  await api.close();
  await server.stop();
});

const impersonating = (user: string) => ({ headers: { "impersonate-user": user } });

interface Discovered {
  /** With its subresource, if it is one. */
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** Every resource and subresource that the server serves, with the path of its version. */
const discovered = async (): Promise<readonly (Discovered & { readonly version: string })[]> => {
  const { groups } = (await api.get("/apis")).body as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
  const found = await Promise.all(
    ["/api/v1", ...versions].map(async (version) => {
      const { resources } = (await api.get(version)).body as { readonly resources: readonly Discovered[] };
      return resources.map((resource) => ({ ...resource, version }));
    }),
  );
  return found.flat();
};

/** Paths of an object and, for what is not a subresource, of the collection. */
const pathsOf = (name: string): readonly string[] => {
  const [plural, ...subresource] = name.split("/");
  return subresource.length > 0 ? [`${plural}/other/${subresource.join("/")}`] : [name, `${name}/other`];
};

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

describe("rights in a namespace", () => {
  it("reach no kind without namespaces through the path of one", async () => {
    const kinds = (await discovered()).filter(({ namespaced }) => !namespaced);
    expect(kinds.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["namespaces", "namespaces/finalize", "nodes", "clusterroles", "selfsubjectreviews"]),
    );
    for (const { name, version } of kinds) {
      for (const path of pathsOf(name)) {
        for (const method of methods) {
          expectPageNotFound(await api.call(method, `${version}/namespaces/team/${path}`, { as: "alice", body: {} }));
        }
      }
    }
    expectCode(await api.get(`${namespaces}/other`), 200);
  });

  it("change no other Namespace, and end none", async () => {
    const { metadata } = (await api.get(`${namespaces}/kube-system`)).body;
    const through = `${namespaces}/team/namespaces`;
    const type = "application/merge-patch+json";
    const body = { metadata: { labels: { mine: "yes" } } };
    expectPageNotFound(await api.call("PATCH", `${through}/kube-system`, { as: "alice", type, body }));
    expectPageNotFound(await api.call("PUT", `${through}/kube-system/finalize`, { as: "alice", body: {} }));
    expectPageNotFound(await api.delete(`${through}/other`, { as: "alice" }));
    expectPageNotFound(await api.delete(through, { as: "alice" }));
    expectPageNotFound(await api.get(`${through}/team`, { as: "alice" }));
    expect((await api.get(`${namespaces}/kube-system`)).body.metadata).toEqual(metadata);
    expect((await api.get(`${namespaces}/other`)).body.status).toEqual({ phase: "Active" });
    expectCode(await api.get(`${namespaces}/team`, { as: "alice" }), 200);
    expectCode(await api.get(`${namespaces}/team/status`, { as: "alice" }), 200);
    expectCode(await api.get(`${namespaces}/other`, { as: "alice" }), 403);
  });

  it("are needed for kinds with namespaces: without one there is only their list", async () => {
    const kinds = (await discovered()).filter(({ namespaced }) => namespaced);
    expect(kinds.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["pods", "pods/eviction", "bindings", "localsubjectaccessreviews", "widgets/scale"]),
    );
    for (const { name, version, verbs } of kinds) {
      for (const path of pathsOf(name)) {
        for (const method of methods) {
          const isList = path === name && verbs.includes("list");
          // The handler of custom resources knows no path of them all but their list.
          const refused = name === "widgets" ? 404 : 405;
          const expected = !isList ? 404 : method === "GET" ? 200 : refused;
          const answer = await api.call(method, `${version}/${path}`, { body: method === "GET" ? undefined : {} });
          expect(answer.code, `${method} ${version}/${path}`).toBe(expected);
        }
      }
    }
  });

  it("to a subresource are none to the collection of the objects", async () => {
    await grant("bob", [{ apiGroups: [""], resources: ["configmaps/status", "pods/status"], verbs: ["*"] }]);
    const pod = { metadata: { name: "one" }, spec: { containers: [{ name: "c", image: "i" }] } };
    expectCode(await api.post(`${namespaces}/team/pods`, pod), 201);
    for (const method of methods) {
      const answer = await api.call(method, `${namespaces}/team/pods//status`, { as: "bob", body: pod });
      expectPageNotFound(answer);
    }
    expectPageNotFound(await api.get(`${namespaces}//pods`));
    expectCode(await api.get(`${namespaces}/team/pods/one`), 200);
  });
});

describe("a change that makes an object", () => {
  const apiVersion = "v1";
  const secrets = `${namespaces}/team/secrets`;
  const tokenSecret = (name: string) => ({
    apiVersion,
    kind: "Secret",
    type: "kubernetes.io/service-account-token",
    metadata: { name, annotations: { "kubernetes.io/service-account.name": "strong" } },
  });

  it("takes the right to create: nobody applies a token of a stronger account", async () => {
    expectCode(await api.post(`${namespaces}/team/serviceaccounts`, { metadata: { name: "strong" } }), 201);
    await grant("carol", [
      { apiGroups: [""], resources: ["secrets", "configmaps"], verbs: ["get", "patch", "update"] },
    ]);
    const as = impersonating("carol");
    for (const query of [{}, { force: true }, { dryRun: "All" }]) {
      expectStatus(await api.apply(`${secrets}/stolen`, "m", tokenSecret("stolen"), { ...as, query }), 403, {
        reason: "Forbidden",
        message: 'User "carol" cannot create resource "secrets" in API group "" in the namespace "team"',
      });
    }
    expectCode(await api.get(`${secrets}/stolen`, as), 404);
    const plain = { apiVersion, kind: "ConfigMap", metadata: { name: "there" }, data: { a: "1" } };
    const configMaps = `${namespaces}/team/configmaps`;
    expectCode(await api.post(configMaps, plain), 201);
    expectCode(await api.apply(`${configMaps}/there`, "m", plain, { ...as, query: { force: true } }), 200);
    expectCode(await api.apply(`${secrets}/stolen`, "m", tokenSecret("stolen"), { as: "alice" }), 201);
  });

  it("takes it also by PUT, for the kinds that PUT creates", async () => {
    const verbs = ["get", "update"];
    await grant("dave", [{ apiGroups: ["coordination.k8s.io", apiGroup], resources: ["leases", "roles"], verbs }]);
    const lease = "/apis/coordination.k8s.io/v1/namespaces/team/leases/new";
    const role = `${rbacApi}/namespaces/team/roles/new`;
    for (const path of [lease, role]) {
      const body = { metadata: { name: "new" } };
      expectStatus(await api.put(path, body, impersonating("dave")), 403, {
        reason: "Forbidden",
        message: / cannot create /,
      });
      expectCode(await api.put(path, body, { as: "alice" }), 201);
      expectCode(await api.put(path, (await api.get(path)).body, impersonating("dave")), 200);
    }
  });
});
