import type { GuestHost } from "@capstan/guest";
import type { FakeClock } from "@capstan/testing";

export const namespace = "default";
/** Of the cluster, and of its control plane. */
export const key = { namespace, name: "birch" };

const reference = (apiGroup: string, kind: string, name: string) =>
  `{apiGroup: ${apiGroup}, kind: ${kind}, name: ${name}}`;
const infrastructure = "infrastructure.cluster.x-k8s.io";
const registration = `nodeRegistration: {name: "{{ ds.meta_data.label }}", kubeletExtraArgs: [{name: cloud-provider, value: external}]}`;

const token = "abcdef.0123456789abcdef";
const init = `${registration}, bootstrapTokens: [{token: ${token}, ttlSeconds: 0}]`;
const join = `${registration}, discovery: {bootstrapToken: {token: ${token}, unsafeSkipCAVerification: true}}`;

/** One cluster; with a token that all its servers join with, or with one for each. */
export const manifestOf = (sharesToken: boolean): string => `
apiVersion: v1
kind: Secret
metadata: {name: birch-credentials}
stringData: {apiToken: "\${LINODE_TOKEN}", LINODE_URL: "\${LINODE_URL}"}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: birch}
spec:
  clusterNetwork: {pods: {cidrBlocks: [10.70.0.0/16]}, services: {cidrBlocks: [10.71.0.0/16]}}
  controlPlaneRef: ${reference("controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "birch")}
  infrastructureRef: ${reference(infrastructure, "LinodeCluster", "birch")}
---
apiVersion: ${infrastructure}/v1alpha2
kind: LinodeCluster
metadata: {name: birch}
spec: {region: us-ord, credentialsRef: {name: birch-credentials}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: birch}
spec:
  replicas: 1
  version: v1.34.0
  machineTemplate: {spec: {infrastructureRef: ${reference(infrastructure, "LinodeMachineTemplate", "birch")}}}
  kubeadmConfigSpec:
    initConfiguration: {${sharesToken ? init : registration}}
    joinConfiguration: {${sharesToken ? join : registration}}
---
apiVersion: ${infrastructure}/v1alpha2
kind: LinodeMachineTemplate
metadata: {name: birch}
spec: {template: {spec: {region: us-ord, type: g6-standard-2, image: linode/ubuntu22.04}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: birch}
spec:
  clusterName: birch
  selector: {matchLabels: {cluster.x-k8s.io/control-plane: ""}}
  checks: {nodeStartupTimeoutSeconds: 600}
`;

/** Longest step of the clock, in milliseconds: a reconcile is aborted after 120 s, for which longer steps leave too little real time. */
const longestStepMs = 250;

/** Lets time pass until `isOver` returns true, which is called every `everyMs`. Throws after `maxMs`. */
export const lookEvery = async (
  clock: FakeClock,
  isOver: () => boolean | Promise<boolean>,
  { everyMs, maxMs }: { readonly everyMs: number; readonly maxMs: number },
): Promise<void> => {
  let next = clock.now();
  const look = async (): Promise<boolean> => {
    if (clock.now() < next) return false;
    next = clock.now() + everyMs;
    return isOver();
  };
  await clock.advanceUntil(look, { stepMs: Math.min(everyMs, longestStepMs), maxMs });
};

/** A host whose servers boot once `late` is over, and not at all when they are switched off before. */
export const withLateServers = (host: GuestHost, late: (off: AbortSignal) => Promise<void>): GuestHost => {
  const waiting = new Map<string, AbortController>();
  return {
    ...host,
    boot: async (request) => {
      const off = new AbortController();
      waiting.set(request.id, off);
      await late(off.signal).catch(() => undefined);
      waiting.delete(request.id);
      if (!off.signal.aborted) await host.boot(request);
    },
    shutdown: async (id, options) => {
      waiting.get(id)?.abort();
      await host.shutdown(id, options);
    },
  };
};
