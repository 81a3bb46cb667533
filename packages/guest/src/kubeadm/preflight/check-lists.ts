import type { Check } from "./check.ts";
import {
  commonChecks,
  directoryEmpty,
  enoughCPUs,
  enoughMemory,
  fileAbsent,
  externalEtcdFiles,
  externalEtcdReachable,
  firewallOff,
  kubernetesNotNewer,
  portFree,
  ports,
  settingOn,
} from "./checks.ts";
import type { ControlPlaneSubject, JoinSubject, PreflightFacts } from "./facts.ts";
import { minorOf } from "./version.ts";

const manifests = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"].map(
  (name) => `/etc/kubernetes/manifests/${name}.yaml`,
);

const isIPv4 = (text: string): boolean => /^\d+\.\d+\.\d+\.\d+(?:\/\d+)?$/.test(text);
const isIPv6 = (text: string): boolean => text.includes(":");

/** Packets are forwarded, and until v1.29 those of bridges are filtered. */
const forwarding = (facts: PreflightFacts, addresses: readonly string[]): readonly Check[] => {
  const bridged = minorOf(facts.kubeadmVersion) < 30;
  const keys = [
    ...(addresses.some(isIPv4)
      ? [...(bridged ? ["net.bridge.bridge-nf-call-iptables"] : []), "net.ipv4.ip_forward"]
      : []),
    ...(addresses.some(isIPv6)
      ? [...(bridged ? ["net.bridge.bridge-nf-call-ip6tables"] : []), "net.ipv6.conf.default.forwarding"]
      : []),
  ];
  return keys.map((key) => settingOn(facts, key));
};

/** Returns the checks of `kubeadm init`; for a further control plane, only those that its join has not already done. */
export const initChecks = (
  facts: PreflightFacts,
  subject: ControlPlaneSubject,
  { isFurther }: { readonly isFurther: boolean },
): readonly Check[] => [
  enoughCPUs(facts),
  enoughMemory(facts),
  kubernetesNotNewer(facts, subject.kubernetesVersion),
  firewallOff(facts, [subject.bindPort, ports.kubelet]),
  ...[subject.bindPort, ports.scheduler, ports.controllerManager].map((port) => portFree(facts, port)),
  ...manifests.map((path) => fileAbsent(facts, path)),
  ...(isFurther
    ? []
    : [
        ...commonChecks(facts, subject),
        ...forwarding(facts, [...subject.ranges, subject.advertiseAddress]),
        externalEtcdReachable(facts, subject.externalEtcd),
      ]),
  ...(subject.etcdDirectory === undefined
    ? externalEtcdFiles(facts, subject.externalEtcd)
    : [portFree(facts, ports.etcd), portFree(facts, ports.etcdPeer), directoryEmpty(facts, subject.etcdDirectory)]),
];

const hostOf = (endpoint: string): string => endpoint.slice(0, endpoint.lastIndexOf(":")).replaceAll(/[[\]]/g, "");

/** Returns the checks of `kubeadm join` before it connects to the cluster. */
export const joinChecks = (facts: PreflightFacts, subject: JoinSubject): readonly Check[] => [
  fileAbsent(facts, "/etc/kubernetes/kubelet.conf"),
  fileAbsent(facts, "/etc/kubernetes/bootstrap-kubelet.conf"),
  ...commonChecks(facts, subject),
  ...(subject.isControlPlane ? [] : [fileAbsent(facts, subject.caCertPath)]),
  ...(subject.endpoint === undefined ? [] : forwarding(facts, [hostOf(subject.endpoint)])),
];
