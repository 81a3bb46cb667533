import { Group, Label } from "@capstan/contract";
import { CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { resource, type KubeObject } from "@capstan/schema";
import { recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManagedWorld, passingOn, type ManagedWorld } from "./managed-world.ts";

const ClusterRole = resource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRole",
  plural: "clusterroles",
  namespaced: false,
});
const Provider = resource({ group: Group.clusterctl, version: "v1alpha3", kind: "Provider", plural: "providers" });

const clock = recentClock();
const pass = passingOn(clock);

describe.each([[[]], [["default"]]])("an installation that watches %j", (namespaces) => {
  let world: ManagedWorld;

  beforeAll(async () => {
    world = await createManagedWorld({ clock, random: seededRandom(9), pass });
    await world.install({ namespaces });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const isAllowed = async (verb: string, group: string, plural: string, namespace = "default"): Promise<boolean> => {
    const { status } = await world.admin.request<{ readonly status: { readonly allowed: boolean } }>({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: {
          user: "system:serviceaccount:capstan-system:capstan-core",
          resourceAttributes: { verb, group, resource: plural, namespace },
        },
      },
    });
    return status.allowed;
  };

  it("labels every definition, and lists its providers, for clusterctl", async () => {
    const definitions = (await world.admin.list(CustomResourceDefinitionResource)).items;
    const ofProviders = definitions.filter(({ metadata }) => !metadata.name?.endsWith(Group.clusterctl));
    const labels = ofProviders.map(({ metadata }) => [
      metadata.labels?.[Label.clusterctl],
      metadata.labels?.[Label.provider],
    ]);
    expect(new Set(labels.map(([mark]) => mark))).toEqual(new Set([""]));
    const providers = (await world.admin.list<KubeObject>(Provider, { namespace: "capstan-system" })).items;
    expect(providers.map((each) => [each.metadata.name, each["type"], each["providerName"]])).toEqual([
      ["bootstrap-capstan-kubeadm", "BootstrapProvider", "capstan-kubeadm"],
      ["capstan", "CoreProvider", "capstan"],
      ["infrastructure-capstan-linode", "InfrastructureProvider", "capstan-linode"],
    ]);
    for (const each of providers) expect(each["version"]).toMatch(/^v\d+\.\d+\.\d+$/);
    expect(new Set(labels.map(([, provider]) => provider))).toEqual(
      new Set(providers.map(({ metadata }) => metadata.name)),
    );
  });

  it("lets core work with kinds of providers that others install, and with nothing else", async () => {
    for (const group of [Group.bootstrap, Group.controlPlane, Group.infrastructure]) {
      expect(await isAllowed("create", group, "widgets")).toBe(true);
      expect(await isAllowed("create", group, "widgets", "elsewhere")).toBe(namespaces.length === 0);
    }
    expect(await isAllowed("create", "widgets.example", "widgets")).toBe(false);
    await world.admin.create(ClusterRole, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "widgets", labels: { [Label.aggregateToManager]: "true" } },
      rules: [{ apiGroups: ["widgets.example"], resources: ["widgets"], verbs: ["create"] }],
    });
    await pass(expect.poll(() => isAllowed("create", "widgets.example", "widgets")).toBe(true));
    expect(await isAllowed("delete", "", "secrets")).toBe(false);
  });

  it("changes nothing when it is repeated", async () => {
    const versions = async (): Promise<readonly unknown[]> =>
      (
        await Promise.all(
          [CustomResourceDefinitionResource, ClusterRole, Provider].map((kind) => world.admin.list<KubeObject>(kind)),
        )
      ).flatMap(({ items }) => items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    const before = await versions();
    await world.install({ namespaces });
    expect(await versions()).toEqual(before);
  });
});
