import { type KubeObject, type Resource, resource } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { comparisonBy, type Meant, type RequestCase, requestFacts, untilServed } from "./compare/requests.ts";
import { configCases } from "./config-cases.ts";
import { KubeadmConfig, KubeadmControlPlane, namespace } from "./objects.ts";
import { describeOnServers, startWorld, type World } from "./world.ts";

const KubeadmConfigTemplate = resource({
  group: KubeadmConfig.group,
  version: "v1beta2",
  kind: "KubeadmConfigTemplate",
  plural: "kubeadmconfigtemplates",
});

const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "MemoryMachineTemplate", name: "a" };

/** Where the spec stands in each kind. */
const kinds: readonly { readonly kind: Resource; readonly put: (spec: object) => object }[] = [
  { kind: KubeadmConfig, put: (spec) => spec },
  { kind: KubeadmConfigTemplate, put: (spec) => ({ template: { spec } }) },
  {
    kind: KubeadmControlPlane,
    put: (kubeadmConfigSpec) => ({
      version: "v1.34.0",
      machineTemplate: { spec: { infrastructureRef } },
      ...(Object.keys(kubeadmConfigSpec).length > 0 && { kubeadmConfigSpec }),
    }),
  },
];

/** The cases of one kind as requests. */
const requestsOf = ({ kind, put }: (typeof kinds)[number]): readonly RequestCase[] =>
  configCases.map(({ spec, title, update }, index) => {
    const object: KubeObject = {
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: { namespace, name: `case-${index}` },
      spec: put(spec),
    };
    return { title, object, ...(update !== undefined && { update: (stored) => ({ ...stored, spec: put(update) }) }) };
  });

const meant: Meant = [
  [/^a template|^a format that there is not/, "contentFormat is of Cluster API 1.14, which is newer than the managers"],
  [
    /^a token of another form|as a number|as a text|with a number|^a token that is empty|with an end that is no time|that is not base64/,
    "upstream's webhooks cannot decode it, and name no field",
  ],
  [/^a kubeconfig with both/, "upstream names the field kubeconfig, which there is not"],
  [/^a taint without an effect/, "upstream's webhook for defaults writes an empty effect, which no Node takes"],
  [
    /^Ignition with a configuration that there is not/,
    "upstream finds out when it renders; here it is refused at once",
  ],
  [/^an image's tag that cannot be/, "upstream names the field twice, once from the wrong place"],
];

describeOnServers("KubeadmConfigs compared with upstream's managers", (start) => {
  const programs = ["capi-bootstrap-kubeadm", "capi-controlplane-kubeadm"];
  const worlds: World[] = [];
  const comparison = comparisonBy(meant);

  beforeAll(async () => {
    // Ours has no gate before Ignition.
    const upstreamArgs = ["--feature-gates=KubeadmBootstrapFormatIgnition=true"];
    worlds.push(await startWorld(start, { upstream: ["capi-core", ...programs], upstreamArgs }));
    worlds.push(
      await startWorld(start, { upstream: ["capi-core"], capstan: ["bootstrap-kubeadm", "controlplane-kubeadm"] }),
    );
    for (const { environment } of worlds) {
      for (const { kind, put } of kinds) {
        const object = {
          apiVersion: `${kind.group}/${kind.version}`,
          kind: kind.kind,
          metadata: { name: "ready", namespace },
        };
        await untilServed({ environment }, { ...object, spec: put({ verbosity: 1 }) });
      }
    }
  });
  afterAll(() => Promise.all(worlds.map((world) => world.stop())));

  it.each(kinds)(
    "$kind.kind",
    async (place) => {
      const requests = requestsOf(place);
      const factsOf = ({ environment }: World) => requestFacts(environment.client, place.kind, requests);
      const [theirs, ours] = [await factsOf(worlds[0]!), await factsOf(worlds[1]!)];
      expect(comparison.open(place.kind.kind, theirs, ours)).toEqual([]);
    },
    600_000,
  );

  it("needs every reason", () => expect(comparison.unused()).toEqual([]));
});
