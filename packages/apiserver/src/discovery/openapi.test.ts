import { describe, expect, it } from "vitest";
import { builtinDefinitions } from "../builtin/definitions.ts";
import { objectMetaSchema } from "../builtin/types/type-schema.ts";
import { builtinOwner, createRegistry } from "../registry/registry.ts";
import type { ResourceDefinition } from "../model/types.ts";
import { openApiIndex, openApiV3 } from "./openapi.ts";

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>;
  };
}

const registry = createRegistry();
registry.replace(builtinOwner, builtinDefinitions());
const gadget = (description: string): ResourceDefinition => ({
  ...(builtinDefinitions().find(({ plural }) => plural === "configmaps") as ResourceDefinition),
  group: "conf.capstan.test",
  kind: "Gadget",
  listKind: "GadgetList",
  plural: "gadgets",
  namespaced: false,
  origin: "custom",
  schema: {
    type: "object",
    properties: { metadata: objectMetaSchema(), spec: { type: "object", description } },
  },
});
registry.replace("gadgets", [gadget("first")]);

const read = (group: string, version: string): OpenApi =>
  JSON.parse(openApiV3(registry.snapshot, group, version)?.text ?? "{}") as OpenApi;

const builtinVersions = registry.snapshot.groups.flatMap(({ group, versions }) =>
  versions.map((version) => [group, version] as const),
);

describe("openApiV3", () => {
  it.each(builtinVersions)("of %s/%s refers only to what it contains", (group, version) => {
    const { paths, components } = read(group, version);
    const references = [
      ...JSON.stringify({ paths, components }).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
    ];
    const names = new Set(references.map(([, name]) => name));
    expect([...names].filter((name) => !Object.hasOwn(components.schemas, name ?? ""))).toEqual([]);
  });

  it("says to kubectl what a patch of a kind understands", () => {
    const { paths } = read("apps", "v1");
    const patch = paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]?.["patch"] as {
      parameters: { name: string; in: string }[];
      requestBody: { content: object };
    };
    expect(patch).toMatchObject({
      "x-kubernetes-group-version-kind": { group: "apps", kind: "Deployment", version: "v1" },
    });
    expect(patch.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["fieldValidation", "dryRun", "fieldManager", "force"]),
    );
    expect(Object.keys(patch.requestBody.content)).toContain("application/strategic-merge-patch+json");
  });

  it("describes built-in kinds by shared types with their list and patch rules", () => {
    const { schemas } = read("apps", "v1").components;
    expect(schemas["io.k8s.api.apps.v1.Deployment"]).toMatchObject({
      "x-kubernetes-group-version-kind": [{ group: "apps", kind: "Deployment", version: "v1" }],
      properties: {
        apiVersion: { type: "string" },
        metadata: { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" },
        spec: { $ref: "#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec" },
      },
    });
    expect(schemas["io.k8s.api.core.v1.PodSpec"]?.properties?.["containers"]).toEqual({
      type: "array",
      items: { $ref: "#/components/schemas/io.k8s.api.core.v1.Container" },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-patch-merge-key": "name",
    });
    expect(schemas["io.k8s.api.apps.v1.DeploymentSpec"]?.properties?.["strategy"]).toEqual({
      allOf: [{ $ref: "#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy" }],
      "x-kubernetes-patch-strategy": "retainKeys",
    });
  });

  it("describes custom kinds by their own schema", () => {
    const { paths, components } = read("conf.capstan.test", "v1");
    expect(components.schemas["test.capstan.conf.v1.Gadget"]).toMatchObject({
      "x-kubernetes-group-version-kind": [{ group: "conf.capstan.test", kind: "Gadget", version: "v1" }],
      properties: {
        metadata: { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" },
        spec: { description: "first" },
      },
    });
    expect(components.schemas).toHaveProperty(["test.capstan.conf.v1.GadgetList"]);
    const patch = paths["/apis/conf.capstan.test/v1/gadgets/{name}"]?.["patch"] as { requestBody: { content: object } };
    expect(Object.keys(patch.requestBody.content)).not.toContain("application/strategic-merge-patch+json");
  });

  it("is remembered until a definition of its version changes", () => {
    const [apps, custom] = ["apps", "conf.capstan.test"].map((group) => openApiV3(registry.snapshot, group, "v1"));
    registry.replace("gadgets", [gadget("second")]);
    expect(openApiV3(registry.snapshot, "apps", "v1")).toBe(apps);
    expect(openApiV3(registry.snapshot, "conf.capstan.test", "v1")?.hash).not.toBe(custom?.hash);
  });

  it("knows nothing of versions that are not served", () => {
    expect(openApiV3(registry.snapshot, "apps", "v2")).toBeUndefined();
  });
});

describe("openApiIndex", () => {
  it("points to every document with its hash", () => {
    const { paths } = JSON.parse(openApiIndex(registry.snapshot).text) as {
      paths: Readonly<Record<string, { serverRelativeURL: string }>>;
    };
    const core = openApiV3(registry.snapshot, "", "v1");
    expect(paths["api/v1"]).toEqual({ serverRelativeURL: `/openapi/v3/api/v1?hash=${core?.hash}` });
    expect(Object.keys(paths)).toContain("apis/conf.capstan.test/v1");
    expect(Object.keys(paths)).toHaveLength(builtinVersions.length);
  });
});
