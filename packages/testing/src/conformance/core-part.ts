import { clusterSecretType, Label } from "@capstan/contract";
import {
  ClusterResource,
  MachinePoolResource,
  MachineResource,
  SecretResource,
  mergePatches,
  ownerReference,
  patchAt,
} from "@capstan/contract/wire";
import type { MergePatch } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { type ObjectKey, toBase64 } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { apiVersionOf } from "@capstan/schema";

/** Plays the core controllers: what they do to the objects around a provider's, and nothing more. */
export class CorePart {
  readonly clusterName: string;
  readonly namespace: string;
  readonly #client: Client;

  constructor(client: Client, namespace: string, clusterName = "orchid") {
    this.#client = client;
    this.namespace = namespace;
    this.clusterName = clusterName;
  }

  key(name: string): ObjectKey {
    return { namespace: this.namespace, name };
  }

  createCluster(spec: MergePatch = {}): Promise<KubeObject> {
    return this.#client.create(ClusterResource, {
      apiVersion: apiVersionOf(ClusterResource),
      kind: ClusterResource.kind,
      metadata: { ...this.key(this.clusterName) },
      spec,
    });
  }

  /** A Machine; `dataSecretName` absent: its bootstrap data is waited for. */
  createMachine(
    name: string,
    spec: MergePatch,
    options: { readonly controlPlane?: boolean } = {},
  ): Promise<KubeObject> {
    const role = options.controlPlane === true ? { [Label.controlPlane]: "" } : {};
    return this.#client.create(MachineResource, {
      apiVersion: apiVersionOf(MachineResource),
      kind: MachineResource.kind,
      metadata: { ...this.key(name), labels: { [Label.clusterName]: this.clusterName, ...role } },
      spec: mergePatches({ clusterName: this.clusterName, version: "v1.33.4" }, spec),
    });
  }

  /** A MachinePool; `spec` is that of its template. */
  createPool(name: string, spec: MergePatch, replicas = 1): Promise<KubeObject> {
    const { clusterName } = this;
    const template = { spec: mergePatches({ clusterName, version: "v1.33.4" }, spec) };
    return this.#client.create(MachinePoolResource, {
      apiVersion: apiVersionOf(MachinePoolResource),
      kind: MachinePoolResource.kind,
      metadata: { ...this.key(name), labels: { [Label.clusterName]: clusterName } },
      spec: { clusterName, replicas, template },
    });
  }

  createBootstrapSecret(name: string, value: string | Uint8Array): Promise<KubeObject> {
    const data = {
      value: Buffer.from(value).toString("base64"),
      format: toBase64("cloud-config"),
    };
    return this.createSecret(name, data, clusterSecretType);
  }

  /** `data` in base64. Default type: that of the cluster's Secrets where the name begins with the cluster's, else Opaque. */
  createSecret(name: string, data: Readonly<Record<string, string>>, type?: string): Promise<KubeObject> {
    const ofCluster = name.startsWith(`${this.clusterName}-`) ? clusterSecretType : "Opaque";
    const metadata = { ...this.key(name), labels: { [Label.clusterName]: this.clusterName } };
    const secret = { apiVersion: "v1", kind: "Secret", metadata, type: type ?? ofCluster, data };
    return this.#client.create(SecretResource, secret);
  }

  /** Creates a provider's object with the cluster label and, if given, an owner. */
  createOwned(
    kind: Resource,
    name: string,
    spec: MergePatch,
    owner?: { readonly kind: Resource; readonly object: KubeObject; readonly controller: boolean },
  ): Promise<KubeObject> {
    const flags = { controller: owner?.controller === true, blockOwnerDeletion: true };
    return this.#client.create(kind, {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: {
        ...this.key(name),
        labels: { [Label.clusterName]: this.clusterName },
        ...(owner === undefined ? {} : { ownerReferences: [ownerReference(owner.kind, owner.object, flags)] }),
      },
      spec,
    });
  }

  setStatus(kind: Resource, name: string, path: string, value: unknown): Promise<KubeObject> {
    const body = patchAt(path, value);
    return this.#client.patch(kind, this.key(name), { type: "merge", body }, { subresource: "status" });
  }

  patch(kind: Resource, name: string, body: MergePatch): Promise<KubeObject> {
    return this.#client.patch(kind, this.key(name), { type: "merge", body });
  }

  infrastructureProvisioned(): Promise<KubeObject> {
    return this.setStatus(ClusterResource, this.clusterName, "status.initialization.infrastructureProvisioned", true);
  }

  controlPlaneInitialized(): Promise<KubeObject> {
    return this.setStatus(ClusterResource, this.clusterName, "status.initialization.controlPlaneInitialized", true);
  }

  pause(paused: boolean): Promise<KubeObject> {
    return this.patch(ClusterResource, this.clusterName, { spec: { paused } });
  }
}
