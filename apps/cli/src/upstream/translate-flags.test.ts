import { describe, expect, it } from "vitest";
import { translateFlags } from "./translate-flags.ts";
import { upstreamFlags } from "./upstream-flags.ts";

const usual = ["core", "bootstrap-kubeadm", "infra-azure"];
const translated = (...line: readonly string[]) => translateFlags(line, usual);

describe("a command other than manager", () => {
  const command = { name: "up", flags: new Set(["--set-option", "--log-level", "--namespace", "-n"]) };
  const own = (...line: readonly string[]) => translateFlags(["up", ...line], usual, command);

  it.each<[line: string, words: string]>([
    ["--bootstrap-token-ttl=30m", "--set-option=bootstrap-kubeadm.tokenTtl=30m"],
    ["--feature-gates EdgeZone=true", "--set-option=infra-azure.edgeZone=true"],
    ["-v 5", "--log-level=debug"],
    ["--namespace team-a -n team-b", "--namespace team-a -n team-b"],
    ["-f cluster.yaml --kube-api-qps=20", "-f cluster.yaml"],
  ])("takes what it has settings for: %s", (line, words) => {
    expect(own(...line.split(" ")).words).toEqual(["up", ...words.split(" ")]);
  });

  it("says what it has none for", () => {
    expect(own("--leader-elect", "--webhook-port=9443")).toEqual({
      words: ["up"],
      notes: [
        "--leader-elect is ignored: capstan up has no such setting",
        "--webhook-port is ignored: capstan up has no such setting",
      ],
    });
  });
});

describe("flags of upstream's managers", () => {
  it.each<[line: string, words: string]>([
    ["--leader-elect", "--leader-elect"],
    ["--leader-elect=true", "--leader-elect"],
    ["--leader-elect=false", "--no-leader-elect"],
    ["--enable-leader-election", "--leader-elect"],
    ["-leader-elect", "--leader-elect"],
    ["--leader_elect", "--leader-elect"],
    ["--insecure-diagnostics=false", ""],
    ["--insecure-diagnostics=1", "--insecure-diagnostics"],
    ["--leader-elect-lease-duration=1m", "--lease-duration=1m"],
    ["--leader-elect-renew-deadline 40s", "--renew-deadline=40s"],
    ["--leader-election-namespace capi-system", "--system-namespace=capi-system"],
    ["--namespace=", ""],
    ["--namespace team-a", "--namespace=team-a"],
    ["--watch-filter=blue", "--watch-filter=blue"],
    ["--bootstrap-token-ttl=30m", "--set-option=bootstrap-kubeadm.tokenTtl=30m"],
    ["--kubeadmconfig-concurrency=7", "--concurrency=KubeadmConfig=7"],
    ["--concurrency=10", "--concurrency=10"],
    ["--concurrency Machine=9", "--concurrency=Machine=9"],
    ["--remote-conditions-grace-period=3m", "--set-option=core.remoteConditionsGrace=3m"],
    [
      "--additional-sync-machine-labels=a,b.*",
      "--set-option=core.additionalSyncMachineLabels=a --set-option=core.additionalSyncMachineLabels=b.*",
    ],
    ["--api-call-timeout=2s", "--set-option=infra-azure.timeout=2s"],
    ["--feature-gates=EdgeZone=true,APIServerILB=false", "--set-option=infra-azure.edgeZone=true"],
    ["-v=5", "--log-level=debug"],
    ["-v 2", "--log-level=info"],
    ["--v=0", "--log-level=info"],
    ["--zap-log-level=error", "--log-level=error"],
    ["--zap-log-level=4", "--log-level=debug"],
    ["--logging-format=json", "--output=json"],
    ["--metrics-bind-address=0", "--diagnostics-address=off"],
    ["--metrics-bind-address=:8080", "--diagnostics-address=:8080 --insecure-diagnostics"],
    ["--metrics-bind-address=:8443 --metrics-secure", "--diagnostics-address=:8443"],
    ["--health-probe-bind-address=:8081", "--health-addr=:8081"],
    ["--machine-watch-filter=a --cluster-watch-filter=a", "--watch-filter=a --watch-filter=a"],
    ["--tls-min-version=VersionTLS12", ""],
    ["--config manager.yaml --log-level debug", "--config manager.yaml --log-level debug"],
    ["--concurrency", "--concurrency"],
  ])("%s", (line, words) => {
    expect(translated(...line.split(" ")).words).toEqual(words.split(" ").filter((word) => word !== ""));
  });

  it.each<[line: string, note: string]>([
    ["--kube-api-qps=20", "--kube-api-qps=20 is ignored: requests are not rate-limited"],
    ["--contention-profiling", "--contention-profiling is ignored: "],
    ["--feature-gates=ClusterTopology=true", "feature gate ClusterTopology=true is ignored: ClusterClass and"],
    ["--feature-gates=MachinePool=false", "feature gate MachinePool=false is ignored: MachinePools are reconciled"],
    ["--feature-gates=NoSuch=true", "feature gate NoSuch=true is ignored: unknown flag"],
    [
      "--providers core --bootstrap-token-ttl=15m",
      "--bootstrap-token-ttl=15m is ignored: bootstrap-kubeadm is not running here",
    ],
    ["--providers=core --feature-gates=EdgeZone=true", "EdgeZone=true is ignored: infra-azure is not running here"],
  ])("%s is noted", (line, note) => {
    expect(translated(...line.split(" ")).notes).toEqual([expect.stringContaining(note)]);
  });

  it.each<[line: string, message: string]>([
    [
      "--external-kubeconfig=/k",
      "--external-kubeconfig=/k: Hardware and Workflows are read from the management cluster",
    ],
    ["--tls-min-version=VersionTLS13", "NODE_OPTIONS=--tls-min-v1.3"],
    ["--tls-cipher-suites=TLS_AES_128_GCM_SHA256", "NODE_OPTIONS=--tls-cipher-list"],
    ["--disable-controllers-or-webhooks=DisableASOSecretController", "omit providers from --providers"],
    ["--leader-elect=maybe", "--leader-elect=maybe: must be true or false"],
    ["--machine-watch-filter=a --cluster-watch-filter=b", "one filter applies to all kinds here"],
  ])("%s is refused", (line, message) => {
    expect(() => translated(...line.split(" "))).toThrow(
      expect.objectContaining({ code: "manager.flag_refused", message: expect.stringContaining(message) }),
    );
  });

  it("are named once each", () => {
    const names = upstreamFlags.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(upstreamFlags.filter(({ of }) => of.length === 0)).toEqual([]);
  });
});
