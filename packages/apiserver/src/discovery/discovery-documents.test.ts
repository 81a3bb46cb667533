import { describe, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import { builtinOwner, createRegistry } from "../registry/registry.ts";
import type { RegistrySnapshot, ResourceDefinition } from "../model/types.ts";
import { localApiServices } from "../registry/local-api-services.ts";
import { discoveryDocuments } from "./discovery-documents.ts";

const widget = (version: string): ResourceDefinition => ({
  group: "conf.capstan.test",
  version,
  kind: "Widget",
  listKind: "WidgetList",
  plural: "widgets",
  singular: "widget",
  shortNames: ["wd"],
  categories: ["confall"],
  namespaced: true,
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  origin: "custom",
  schema: { type: "object" },
  subresources: [
    { name: "status", verbs: ["get", "patch", "update"], behaviour: { type: "status" } },
    {
      name: "scale",
      verbs: ["get", "patch", "update"],
      kind: { group: "autoscaling", version: "v1", kind: "Scale" },
      behaviour: {
        type: "scale",
        scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
      },
    },
  ],
  selectableFields: {},
  columns: [],
  strategy: {},
  storage: { store: "conf.capstan.test/widgets", apiVersion: "conf.capstan.test/v1" },
});

const snapshotWith = (...custom: readonly ResourceDefinition[]): RegistrySnapshot => {
  const registry = createRegistry();
  registry.replace(builtinOwner, builtinDefinitions());
  registry.replace("widgets.conf.capstan.test", custom);
  return registry.snapshot;
};
const snapshot = snapshotWith(widget("v1beta1"), widget("v1"));
const classic = (path: string): unknown => {
  const text = discoveryDocuments(snapshot).classic(path)?.text;
  return text === undefined ? undefined : JSON.parse(text);
};
const aggregated = (path: "/api" | "/apis") =>
  JSON.parse(discoveryDocuments(snapshot).aggregated(path).text) as {
    items: { metadata: { name?: string }; versions: { version: string; resources: Record<string, unknown>[] }[] }[];
  };

describe("classic discovery", () => {
  it("lists the versions of the core group", () => {
    expect(classic("/api")).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
  });

  it("lists groups, built-in ones first in their order, with the preferred version", () => {
    const { kind, groups } = classic("/apis") as {
      kind: string;
      groups: { name: string; preferredVersion: unknown }[];
    };
    const names = groups.map(({ name }) => name);
    expect(kind).toBe("APIGroupList");
    expect(names.slice(0, 3)).toEqual(["apiregistration.k8s.io", "apps", "events.k8s.io"]);
    expect(names.at(-1)).toBe("conf.capstan.test");
    expect(groups.at(-1)?.preferredVersion).toEqual({ groupVersion: "conf.capstan.test/v1", version: "v1" });
  });

  it("describes one group", () => {
    expect(classic("/apis/conf.capstan.test")).toMatchObject({
      kind: "APIGroup",
      name: "conf.capstan.test",
      versions: [{ version: "v1" }, { version: "v1beta1" }],
    });
  });

  it("lists the resources of a version", () => {
    const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
    const partVerbs = ["get", "patch", "update"];
    expect(classic("/apis/conf.capstan.test/v1")).toEqual({
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: "conf.capstan.test/v1",
      resources: [
        {
          name: "widgets",
          singularName: "widget",
          namespaced: true,
          kind: "Widget",
          verbs,
          shortNames: ["wd"],
          categories: ["confall"],
        },
        {
          name: "widgets/scale",
          singularName: "",
          namespaced: true,
          group: "autoscaling",
          version: "v1",
          kind: "Scale",
          verbs: partVerbs,
        },
        { name: "widgets/status", singularName: "", namespaced: true, kind: "Widget", verbs: partVerbs },
      ],
    });
  });

  it("shows clients that drain where to evict", () => {
    const { resources } = classic("/api/v1") as { resources: { name: string }[] };
    expect(resources.find(({ name }) => name === "pods/eviction")).toEqual({
      name: "pods/eviction",
      singularName: "",
      namespaced: true,
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
    });
  });

  it.each([
    "/",
    "/apis/",
    "/apis/nope.example",
    "/apis/apps/v2",
    "/api/v2",
    "/api/v1/pods",
    "/apis/apps/v1/x",
    "/version",
  ])("knows nothing at %s", (path) => {
    expect(classic(path)).toBeUndefined();
  });
});

const tag = (of: RegistrySnapshot): string => discoveryDocuments(of).aggregated("/apis").etag;

describe("aggregated discovery", () => {
  it("describes the core group without a name", () => {
    const { items } = aggregated("/api");
    expect(items).toHaveLength(1);
    expect(items[0]?.metadata).toEqual({});
    const namespaces = items[0]?.versions[0]?.resources.find(({ resource }) => resource === "namespaces");
    expect(namespaces).toEqual({
      resource: "namespaces",
      responseKind: { group: "", version: "v1", kind: "Namespace" },
      scope: "Cluster",
      singularResource: "namespace",
      verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
      shortNames: ["ns"],
      subresources: [
        { subresource: "finalize", responseKind: { group: "", version: "v1", kind: "Namespace" }, verbs: ["update"] },
        {
          subresource: "status",
          responseKind: { group: "", version: "v1", kind: "Namespace" },
          verbs: ["get", "patch", "update"],
        },
      ],
    });
  });

  it("describes all other groups", () => {
    const { items } = aggregated("/apis");
    expect(items.map(({ metadata }) => metadata.name)).not.toContain("");
    expect(items.at(-1)).toMatchObject({
      metadata: { name: "conf.capstan.test" },
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [
            {
              scope: "Namespaced",
              subresources: [
                { subresource: "scale", responseKind: { group: "autoscaling", version: "v1", kind: "Scale" } },
                {},
              ],
            },
          ],
        },
        { version: "v1beta1" },
      ],
    });
  });

  it("has an entity tag that depends on the content alone", () => {
    expect(tag(snapshot)).toMatch(/^"[0-9A-F]{64}"$/);
    expect(tag(snapshotWith(widget("v1"), widget("v1beta1")))).toBe(tag(snapshot));
    expect(tag(snapshotWith(widget("v1")))).not.toBe(tag(snapshot));
  });
});

describe("localApiServices", () => {
  it("names every served version", () => {
    expect([...localApiServices(snapshot).keys()]).toEqual(
      expect.arrayContaining(["v1.", "v1.apps", "v1.conf.capstan.test", "v1beta1.conf.capstan.test"]),
    );
  });
});
