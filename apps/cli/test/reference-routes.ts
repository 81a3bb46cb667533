import { Annotation, clusterSecretType, isCapstanError, Label } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import { RKE2Config, RKE2ConfigV1Beta1 } from "@capstan/bootstrap-rke2-k3s/api";
import { admittedReferencesAnnotation, crossingReferences } from "@capstan/kit/admission";
import type { Client, Patch } from "@capstan/kube";
import { apiVersionOf, type KubeObject, type Resource } from "@capstan/schema";
import { expect } from "vitest";
import type { SharedCluster } from "./reference-cases.ts";

const filesFrom = (namespace: string) => [
  { path: "/etc/theirs", contentFrom: { secret: { name: "theirs", key: "clientSecret", namespace } } },
];

const config = (kind: Resource, name: string, namespace: string, annotations = {}): KubeObject => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { namespace: "team-a", name, annotations },
  ...({ spec: { files: filesFrom(namespace) } } as object),
});

/** Writes of the tenant's `own` that would put another team's Secret into it. */
const writes = (tenant: Client, mark: string): Readonly<Record<string, () => Promise<unknown>>> => {
  const key = { namespace: "team-a", name: "own" };
  const { spec } = config(RKE2Config, "own", "team-b") as KubeObject & { readonly spec: object };
  const marked = { metadata: { annotations: { [admittedReferencesAnnotation]: mark } }, spec };
  const patches: Readonly<Record<string, Patch>> = {
    "a merge patch": { type: "merge", body: marked },
    "a JSON patch": { type: "json", body: [{ op: "replace", path: "/spec/files", value: filesFrom("team-b") }] },
    "server-side apply": { type: "apply", force: true, body: { ...config(RKE2Config, "own", "team-b") } },
  };
  const older = config(RKE2ConfigV1Beta1, "own", "team-b");
  return {
    ...Object.fromEntries(
      Object.entries(patches).map(([name, patch]) => [
        name,
        () => tenant.patch(RKE2Config, key, patch, { fieldManager: "tenant" }),
      ]),
    ),
    "a merge patch of the older version": () =>
      tenant.patch(RKE2ConfigV1Beta1, key, { type: "merge", body: marked }, { fieldManager: "tenant" }),
    "server-side apply of the older version": () =>
      tenant.patch(RKE2ConfigV1Beta1, key, { type: "apply", force: true, body: { ...older } }, { fieldManager: "old" }),
    "an update": async () => {
      const { metadata, ...rest } = await tenant.get<KubeObject>(RKE2Config, key);
      const annotations = { [admittedReferencesAnnotation]: mark };
      return tenant.update(RKE2Config, { ...rest, ...({ spec } as object), metadata: { ...metadata, annotations } });
    },
    "what an older version says of a newer one": async () => {
      const { metadata, ...rest } = await tenant.get<KubeObject>(RKE2ConfigV1Beta1, key);
      const annotations = { ...metadata.annotations, [Annotation.conversionData]: JSON.stringify({ spec }) };
      return tenant.update(RKE2ConfigV1Beta1, { ...rest, ...older, metadata: { ...metadata, annotations } });
    },
    "the status": () =>
      tenant.patch(RKE2Config, key, { type: "merge", body: { ...marked, status: {} } }, { subresource: "status" }),
    "a new object of the older version": () =>
      tenant.create(RKE2ConfigV1Beta1, config(RKE2ConfigV1Beta1, "other", "team-b")),
    "a new object by server-side apply": () => {
      const body = { ...config(RKE2Config, "other", "team-b", { [admittedReferencesAnnotation]: mark }) };
      return tenant.patch(
        RKE2Config,
        { namespace: "team-a", name: "other" },
        { type: "apply", body },
        { fieldManager: "x" },
      );
    },
    "the object of somebody else, deleted and made anew with its mark": async () => {
      await tenant.delete(RKE2Config, { namespace: "team-a", name: "given" });
      const annotations = { [admittedReferencesAnnotation]: mark };
      return tenant.create(RKE2Config, config(RKE2Config, "given", "team-b", annotations));
    },
  };
};

const answerOf = async (write: () => Promise<unknown>): Promise<string> => {
  try {
    await write();
    return "taken";
  } catch (error) {
    return isCapstanError(error, "kube.forbidden") && error.message.includes("may not get secrets")
      ? "refused"
      : String(error);
  }
};

/** By no way of writing does someone's reference get stored who may not follow it. */
export const expectNoWayAround = async ({ admin, tenant }: SharedCluster): Promise<void> => {
  const given = await admin.create<KubeObject>(RKE2Config, config(RKE2Config, "given", "team-b"));
  const mark = given.metadata.annotations?.[admittedReferencesAnnotation] ?? "";
  expect(mark).not.toBe("");
  await tenant.create(RKE2Config, config(RKE2Config, "own", "team-a"));
  const answers: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const [route, write] of Object.entries(writes(tenant, mark))) {
    answers[route] = await answerOf(write);
    // What is sent beside a status is left out of it.
    expected[route] = route === "the status" ? "taken" : "refused";
    const { items } = await admin.list<KubeObject>(RKE2Config, { namespace: "team-a" });
    const crossing = items.filter((each) => crossingReferences(RKE2Config, each).length > 0);
    const theirs = crossing.map(({ metadata }) => metadata.name).filter((name) => name !== "given");
    expect(theirs, `written by ${route}`).toEqual([]);
  }
  expect(answers).toEqual(expected);
};

/** What a controller wrote for a user does not become a Secret of a cluster: no one can change what type a Secret has. */
export const expectTypesToStay = async ({ admin }: SharedCluster): Promise<void> => {
  const key = { namespace: "team-a", name: "newb-ca" };
  const labels = { [Label.clusterName]: "newb" };
  const written = { apiVersion: "v1", kind: "Secret", metadata: { ...key, labels }, type: "Opaque", data: {} };
  const { metadata } = await admin.create(SecretResource, written);
  const refused = { code: "kube.invalid", message: expect.stringContaining("type") };
  for (const type of [clusterSecretType, "kubernetes.io/tls"]) {
    await expect(admin.patch(SecretResource, key, { type: "merge", body: { type } })).rejects.toMatchObject(refused);
    const changed = { ...written, metadata, type } as KubeObject;
    await expect(admin.update(SecretResource, changed)).rejects.toMatchObject({ code: "kube.invalid" });
    const body = { ...written, type };
    const apply = { type: "apply", body, force: true } as const;
    await expect(admin.patch(SecretResource, key, apply, { fieldManager: "tenant" })).rejects.toMatchObject({
      code: "kube.invalid",
    });
  }
};
