import { readFileSync } from "node:fs";
import { example } from "./test-system.ts";

const part = (text: string, kind: string, name: string): string => {
  const found = text
    .split(/^---\n/m)
    .find((each) => each.includes(`\nkind: ${kind}\n`) && each.includes(`\n  name: ${name}\n`));
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

const to = (left: number, text: string): string => text.replaceAll(new RegExp(`^ {${left}}`, "gm"), "");

/** A manifest of a cluster on Linode with its control plane of one as a Machine that stands alone, whose name is known. */
export const withMachineAlone = (text: string, cluster: string): string => {
  const name = `${cluster}-control-plane`;
  const controlPlane = part(text, "KubeadmControlPlane", name);
  const servers = part(text, "LinodeMachineTemplate", name);
  const [, version = ""] = /^ {2}version: (.*)$/m.exec(controlPlane) ?? [];
  const config = to(2, controlPlane.slice(controlPlane.indexOf("  kubeadmConfigSpec:\n") + 21));
  const server = to(4, servers.slice(servers.indexOf("    spec:\n") + 10));
  return text
    .replace(/^ {2}controlPlaneRef:\n(?: {4}.*\n)+/m, "")
    .replace(
      controlPlane,
      () => `apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: ${name}-0
  labels:
    cluster.x-k8s.io/cluster-name: ${cluster}
    cluster.x-k8s.io/control-plane: ""
spec:
  clusterName: ${cluster}
  version: ${version}
  bootstrap:
    configRef:
      apiGroup: bootstrap.cluster.x-k8s.io
      kind: KubeadmConfig
      name: ${name}-0
  infrastructureRef:
    apiGroup: infrastructure.cluster.x-k8s.io
    kind: LinodeMachine
    name: ${name}-0
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfig
metadata:
  name: ${name}-0
spec:
${config}`,
    )
    .replace(
      servers,
      () => `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha2
kind: LinodeMachine
metadata:
  name: ${name}-0
spec:
${server}`,
    );
};

/** The example with its control plane as one Machine. */
export const aloneExample = (): string => withMachineAlone(readFileSync(example, "utf8"), "orchid");
