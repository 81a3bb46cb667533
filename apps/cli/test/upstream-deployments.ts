/** A Deployment of upstream's: its provider here, and the arguments of its manager as `clusterctl` fills them in. */
export interface UpstreamDeployment {
  readonly provider: string;
  readonly args: readonly string[];
}

const diagnostics = ["--diagnostics-address=:8443", "--insecure-diagnostics=false"];

export const upstreamDeployments: Readonly<Record<string, UpstreamDeployment>> = {
  core: {
    provider: "core",
    args: [
      "--leader-elect",
      ...diagnostics,
      "--feature-gates=MachinePool=true,ClusterTopology=false,RuntimeSDK=false,MachineSetPreflightChecks=true,MachineWaitForVolumeDetachConsiderVolumeAttachments=true,PriorityQueue=true,ReconcilerRateLimiting=true,InPlaceUpdates=false,MachineTaintPropagation=false",
    ],
  },
  "kubeadm bootstrap": {
    provider: "bootstrap-kubeadm",
    args: [
      "--leader-elect",
      ...diagnostics,
      "--feature-gates=MachinePool=true,KubeadmBootstrapFormatIgnition=false,PriorityQueue=true,ReconcilerRateLimiting=true",
      "--bootstrap-token-ttl=15m",
    ],
  },
  "kubeadm control plane": {
    provider: "controlplane-kubeadm",
    args: [
      "--leader-elect",
      ...diagnostics,
      "--feature-gates=MachinePool=true,ClusterTopology=false,KubeadmBootstrapFormatIgnition=false,PriorityQueue=true,ReconcilerRateLimiting=true,InPlaceUpdates=false,MachineTaintPropagation=false",
    ],
  },
  Linode: { provider: "infra-linode", args: ["--metrics-bind-address=:8443", "--leader-elect"] },
  Azure: {
    provider: "infra-azure",
    args: [
      "--leader-elect",
      ...diagnostics,
      "--feature-gates=MachinePool=true,AKSResourceHealth=false,EdgeZone=false,ASOAPI=true,APIServerILB=true,SkipMachinePoolModelReconciliation=false",
      "--v=0",
    ],
  },
  Tinkerbell: { provider: "infra-metal", args: ["--leader-elect"] },
  Elemental: {
    provider: "infra-metal",
    args: ["--health-probe-bind-address=:8081", "--metrics-bind-address=127.0.0.1:8080", "--leader-elect"],
  },
  "RKE2 bootstrap": {
    provider: "bootstrap-rke2-k3s",
    args: [
      "--leader-elect",
      ...diagnostics,
      "--v=0",
      "--feature-gates=MachinePool=true,ClusterTopology=true",
      "--concurrency=10",
    ],
  },
  "RKE2 control plane": {
    provider: "controlplane-rke2-k3s",
    args: ["--leader-elect", ...diagnostics, "--v=0", "--feature-gates=InPlaceUpdates=false", "--concurrency=10"],
  },
  k3s: { provider: "bootstrap-rke2-k3s", args: ["--metrics-addr=127.0.0.1:8080", "--enable-leader-election"] },
};
