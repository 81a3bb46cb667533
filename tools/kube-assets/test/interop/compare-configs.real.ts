import { isCapstanError } from "@capstan/contract";
import { type KubeObject, type Resource, resource, sameJson } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { configCases } from "./config-cases.ts";
import { KubeadmConfig, KubeadmControlPlane, namespace } from "./objects.ts";
import { type AnyObject, describeOnServers, eventually, startWorld, type World } from "./world.ts";

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

/** What came of a request: the object as it is stored, or the fields for which it was refused. */
const outcome = async (request: Promise<AnyObject>): Promise<unknown> => {
  try {
    const { spec = null, status = null } = await request;
    return { accepted: { spec, status } };
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    const causes = (error.details["causes"] ?? []) as readonly { readonly field?: string; readonly reason?: string }[];
    const refused = causes.map(({ field, reason }) => `${reason} ${field}`).toSorted();
    return refused.length > 0 ? { refused: Array.from(new Set(refused)) } : { refused: [error.code] };
  }
};

/** Everything that a world makes of the cases of one kind, by title. */
const facts = async ({ environment: { client } }: World, { kind, put }: (typeof kinds)[number]) => {
  const older = { ...kind, version: "v1beta1" };
  const found = new Map<string, unknown>();
  for (const [index, { spec, title, update }] of configCases.entries()) {
    const key = { namespace, name: `case-${index}` };
    const object: KubeObject = {
      apiVersion: `${kind.group}/${kind.version}`,
      kind: kind.kind,
      metadata: key,
      spec: put(spec),
    };
    found.set(title, await outcome(client.create(kind, object)));
    const stored = await client.find(kind, key);
    if (stored === undefined) continue;
    found.set(`${title}, in the older version`, await outcome(client.get(older, key)));
    if (update !== undefined) {
      const body = { ...stored, spec: put(update) };
      found.set(`${title}, afterwards`, await outcome(client.update(kind, body)));
    }
    await client.delete(kind, key);
  }
  return found;
};

/** Differences that are meant, by what their titles match. */
const meant: readonly (readonly [RegExp, string])[] = [
  [/^a template|^a format that there is not/, "contentFormat is of Cluster API 1.14, which is newer than the managers"],
  [
    /^a token of another form|as a number|as a text|with a number|^a token that is empty|with an end that is no time|that is not base64/,
    "upstream's webhooks cannot decode it, and name no field",
  ],
  [/^a kubeconfig with both/, "upstream names the field kubeconfig, which there is not"],
  [/^a taint without an effect/, "upstream's webhook for defaults writes an empty effect, which no Node takes"],
  [/^an image's tag that cannot be/, "upstream names the field twice, once from the wrong place"],
];

describeOnServers("KubeadmConfigs compared with upstream's managers", (start) => {
  const programs = ["capi-bootstrap-kubeadm", "capi-controlplane-kubeadm"];
  const worlds: World[] = [];

  beforeAll(async () => {
    worlds.push(await startWorld(start, { upstream: ["capi-core", ...programs] }));
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
        await eventually(() => environment.apply([{ ...object, spec: put({ verbosity: 1 }) }], { dryRun: true }));
      }
    }
  });
  afterAll(() => Promise.all(worlds.map((world) => world.stop())));

  it.each(kinds)(
    "$kind.kind",
    async (place) => {
      const [theirs, ours] = [await facts(worlds[0]!, place), await facts(worlds[1]!, place)];
      const differences = Array.from(theirs)
        .filter(([title, fact]) => !sameJson(fact, ours.get(title)))
        .map(([title, fact]) => ({ title, upstream: fact, ours: ours.get(title) }));
      const open = differences.filter(({ title }) => !meant.some(([titles]) => titles.test(title)));
      console.log(`${place.kind.kind}: ${theirs.size} facts, ${theirs.size - differences.length} equal`);
      for (const each of open) console.log(JSON.stringify(each));
      expect(open).toEqual([]);
    },
    600_000,
  );
});
