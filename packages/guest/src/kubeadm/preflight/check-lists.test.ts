import { describe, expect, it } from "vitest";
import { Disk } from "../../boot/disk.ts";
import { reported } from "./check.ts";
import { initChecks, joinChecks } from "./check-lists.ts";
import type { ControlPlaneSubject, JoinSubject, PreflightFacts } from "./facts.ts";

const socket = "unix:///var/run/containerd/containerd.sock";
const fine: PreflightFacts = {
  kubeadmVersion: "v1.34.2",
  kubeletVersion: "v1.34.2",
  cpus: 2,
  memoryMB: 4000,
  isSwapOn: false,
  disk: new Disk(),
  setting: () => "1",
  hasProgram: () => true,
  service: (name) => (name === "kubelet" ? { enabled: true, running: false } : undefined),
  isPortTaken: () => false,
  runtimeAt: () => "ready",
  lookup: () => undefined,
};
const cluster: ControlPlaneSubject = {
  nodeName: "node-0",
  socket,
  kubernetesVersion: "v1.34.2",
  bindPort: 6443,
  advertiseAddress: "10.0.0.5",
  ranges: ["10.96.0.0/12"],
  etcdDirectory: "/var/lib/etcd",
  externalEtcd: {},
};
const join: JoinSubject = {
  nodeName: "node-1",
  socket,
  isControlPlane: false,
  caCertPath: "/etc/kubernetes/pki/ca.crt",
  endpoint: "10.0.0.9:6443",
};

const ofInit = (facts: Partial<PreflightFacts>, subject: Partial<ControlPlaneSubject> = {}, ignored: string[] = []) => {
  const checks = initChecks({ ...fine, ...facts }, { ...cluster, ...subject }, { isFurther: false });
  const { warnings, errors } = reported(checks, new Set(ignored));
  return [...warnings, ...errors].map((line) => line.trim());
};
const ofJoin = (facts: Partial<PreflightFacts>): readonly string[] => {
  const { warnings, errors } = reported(joinChecks({ ...fine, ...facts }, join), new Set());
  return [...warnings, ...errors].map((line) => line.trim());
};
const without =
  (...names: readonly string[]) =>
  (name: string): boolean =>
    !names.includes(name);

describe("the checks of every kubeadm", () => {
  it.each(["v1.22.4", "v1.29.0", "v1.30.0", "v1.31.4", "v1.33.0", "v1.36.2"])(
    "find nothing on a machine that %s likes",
    (version) => {
      const facts = { kubeadmVersion: version, kubeletVersion: version };
      expect(ofInit(facts, { kubernetesVersion: version })).toEqual([]);
      expect(ofJoin(facts)).toEqual([]);
    },
  );

  it("find what a small plan lacks, and let it pass where they are ignored", () => {
    expect(ofInit({ cpus: 1, memoryMB: 983 })).toEqual([
      "[ERROR NumCPU]: the number of available CPUs 1 is less than the required 2",
      "[ERROR Mem]: the system RAM (983 MB) is less than the minimum 1700 MB",
    ]);
    expect(ofInit({ cpus: 1, memoryMB: 983 }, {}, ["numcpu", "mem"]).map((line) => line.split("]")[0])).toEqual([
      "[WARNING NumCPU",
      "[WARNING Mem",
    ]);
    expect(ofInit({ cpus: 1 }, {}, ["all"]).join()).toContain("[WARNING NumCPU]");
    expect(ofJoin({ cpus: 1, memoryMB: 983 })).toEqual([]);
  });

  it("find files, directories and ports in use", () => {
    const disk = new Disk();
    disk.write("/etc/kubernetes/manifests/etcd.yaml", "");
    disk.write("/var/lib/etcd/member/snap/db", "");
    expect(ofInit({ disk, isPortTaken: (port) => port === 6443 || port === 2379 })).toEqual([
      "[ERROR Port-6443]: Port 6443 is in use",
      "[ERROR FileAvailable--etc-kubernetes-manifests-etcd.yaml]: /etc/kubernetes/manifests/etcd.yaml already exists",
      "[ERROR Port-2379]: Port 2379 is in use",
      "[ERROR DirAvailable--var-lib-etcd]: /var/lib/etcd is not empty",
    ]);
  });

  it("look at what their version looked at", () => {
    const noBridge = (key: string): string | undefined => (key.startsWith("net.bridge.") ? undefined : "0");
    const forwarding =
      "[ERROR FileContent--proc-sys-net-ipv4-ip_forward]: /proc/sys/net/ipv4/ip_forward contents are not set to 1";
    const bridge =
      "[ERROR FileContent--proc-sys-net-bridge-bridge-nf-call-iptables]: /proc/sys/net/bridge/bridge-nf-call-iptables does not exist";
    expect(ofJoin({ setting: noBridge })).toEqual([forwarding]);
    expect(ofJoin({ setting: noBridge, kubeadmVersion: "v1.29.0", kubeletVersion: "v1.29.0" })).toEqual([
      bridge,
      forwarding,
    ]);
    const names = (version: string): string =>
      ofJoin({
        kubeadmVersion: version,
        kubeletVersion: version,
        hasProgram: without("conntrack", "crictl", "ethtool", "losetup"),
      })
        .map((line) => line.split("]")[0]?.slice(1))
        .join();
    expect(names("v1.30.0")).toBe(
      "WARNING FileExisting-ethtool,ERROR FileExisting-crictl,ERROR FileExisting-conntrack",
    );
    expect(names("v1.31.4")).toBe(
      "WARNING FileExisting-crictl,WARNING FileExisting-ethtool,ERROR FileExisting-conntrack",
    );
    expect(names("v1.32.0")).toBe("WARNING FileExisting-ethtool");
    expect(names("v1.36.2")).toBe("ERROR FileExisting-losetup");
  });

  it("hold the versions of kubeadm, kubelet and cluster together", () => {
    expect(ofInit({ kubeletVersion: "v1.34.0" }, { kubernetesVersion: "v1.33.9" })).toEqual([
      '[ERROR KubeletVersion]: the kubelet version is higher than the control plane version. This is not a supported version skew and may lead to a malfunctional cluster. Kubelet version: "1.34.0" Control plane version: "1.33.9"',
    ]);
    expect(ofJoin({ kubeletVersion: "v1.30.9" })).toEqual([
      '[ERROR KubeletVersion]: Kubelet version "1.30.9" is lower than kubeadm can support. Please upgrade kubelet',
    ]);
    expect(ofInit({}, { kubernetesVersion: "v1.35.0" }).join()).toContain(
      "Kubernetes version is greater than kubeadm version.",
    );
  });

  it("miss a container runtime as their version missed it", () => {
    const runtimeAt = () => "missing" as const;
    const of = (version: string) => ofJoin({ runtimeAt, kubeadmVersion: version, kubeletVersion: version }).join("\n");
    expect(of("v1.30.0")).toMatch(
      /^\[ERROR CRI\]: container runtime is not running: output: level=fatal .*error: exit status 1$/s,
    );
    expect(of("v1.34.2")).toBe("");
    expect(
      of("v1.35.4")
        .split("\n")
        .map((line) => line.split("]")[0]),
    ).toEqual(["[ERROR CRI", "[ERROR ContainerRuntimeVersion"]);
  });
});
