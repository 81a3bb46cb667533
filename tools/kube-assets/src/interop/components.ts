import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { KubeObject } from "@capstan/schema";
import { parseAllDocuments } from "yaml";

const run = promisify(execFile);

/** A manager of Cluster API: its program, and where the module keeps what `clusterctl` would install. */
export interface Component {
  readonly program: string;
  /** Kustomization, from the root of the module. */
  readonly kustomization: string;
}

export const components: readonly Component[] = [
  { program: "capi-core", kustomization: "config/default" },
  { program: "capi-bootstrap-kubeadm", kustomization: "bootstrap/kubeadm/config/default" },
  { program: "capi-controlplane-kubeadm", kustomization: "controlplane/kubeadm/config/default" },
];

/** Objects that a component installs, and the start of its manager. */
export interface Manifests {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Arguments of the manager, with upstream's defaults. */
  readonly args: readonly string[];
  /** Kinds, rights and webhooks: everything but what only runs in Pods. */
  readonly objects: readonly KubeObject[];
}

/** Where the webhooks of a component are. */
export interface WebhookAddress {
  readonly url: string;
  /** PEM in base64. */
  readonly caBundle: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- manifests of many shapes
type Manifest = any;

/** `${NAME:=default}` becomes the default, as clusterctl does it. */
const withDefaults = (text: string): string => text.replaceAll(/\$\{\w+:=([^}]*)\}/g, "$1");

const redirected = (config: Manifest, { url, caBundle }: WebhookAddress): object => ({
  url: url + (config.service.path as string),
  caBundle,
});

/** The object with its webhooks at an address instead of a Service. */
const withAddress = (object: Manifest, address: WebhookAddress): KubeObject => {
  const webhook = object.spec?.conversion?.webhook;
  if (webhook !== undefined) webhook.clientConfig = redirected(webhook.clientConfig, address);
  for (const hook of object.webhooks ?? []) hook.clientConfig = redirected(hook.clientConfig, address);
  return object as KubeObject;
};

const onlyInPods = new Set(["Certificate", "Issuer", "Deployment", "Service"]);

/** Renders a component from the module with kubectl's kustomize. */
export const renderComponent = async (
  component: Component,
  options: { readonly kubectl: string; readonly moduleFolder: string; readonly webhooks: WebhookAddress },
): Promise<Manifests> => {
  const { stdout } = await run(options.kubectl, ["kustomize", join(options.moduleFolder, component.kustomization)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const all = parseAllDocuments(withDefaults(stdout)).map((document) => document.toJS());
  const deployment = all.find(({ kind }) => kind === "Deployment");
  return {
    namespace: deployment.metadata.namespace,
    serviceAccount: deployment.spec.template.spec.serviceAccountName,
    args: deployment.spec.template.spec.containers[0].args,
    objects: all.filter(({ kind }) => !onlyInPods.has(kind)).map((object) => withAddress(object, options.webhooks)),
  };
};
