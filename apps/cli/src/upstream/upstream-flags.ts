import type { UpstreamFlag, UpstreamManager, UpstreamUse } from "./upstream-flag.ts";

const clusterApi: readonly UpstreamManager[] = ["core", "kubeadm bootstrap", "kubeadm control plane"];
const withAddress: readonly UpstreamManager[] = [...clusterApi, "Azure", "RKE2"];
const withPods: readonly UpstreamManager[] = [...withAddress, "Tinkerbell"];
const withRecentElection: readonly UpstreamManager[] = [...withPods, "Elemental", "Linode"];
const withZap: readonly UpstreamManager[] = ["Elemental", "Linode"];

const value = (name: string, of: readonly UpstreamManager[], use: UpstreamUse): UpstreamFlag => ({ name, of, use });

const boolean = (name: string, of: readonly UpstreamManager[], use: UpstreamUse): UpstreamFlag => ({
  name,
  boolean: true,
  of,
  use,
});

const concurrency = (name: string, of: UpstreamManager, ...kinds: readonly string[]): UpstreamFlag =>
  value(`${name}-concurrency`, [of], { kinds });

const limits = { ignored: "requests are not rate-limited: the API server's priority and fairness applies" } as const;
const inSecret = { ignored: "the webhook certificate is in the Secret that capstan install creates" } as const;
const noTrace = { ignored: "NODE_OPTIONS=--cpu-prof or --inspect profiles the process" } as const;
const noLogFiles = { ignored: "the log goes to standard error" } as const;
const noExtensions = { ignored: "runtime extensions are not called" } as const;
const notServed = (kind: string): UpstreamUse => ({ ignored: `${kind} is not served` });
const manySteps = { ignored: "operations at Azure span many short reconciles" } as const;

const common: readonly UpstreamFlag[] = [
  boolean("leader-elect", withRecentElection, { flag: "--leader-elect" }),
  boolean("enable-leader-election", ["k3s"], { flag: "--leader-elect" }),
  value("leader-elect-lease-duration", withPods, { flag: "--lease-duration" }),
  value("leader-elect-renew-deadline", withPods, { flag: "--renew-deadline" }),
  value("leader-elect-retry-period", withPods, { flag: "--retry-period" }),
  value("leader-election-namespace", ["Azure", "Tinkerbell"], { flag: "--system-namespace" }),
  value("namespace", withPods, { flag: "--namespace" }),
  value("watch-filter", withPods, { flag: "--watch-filter" }),
  value("sync-period", [...withPods, "k3s"], { flag: "--sync-period" }),
  value("kubeconfig", [...withRecentElection, "k3s"], { flag: "--kubeconfig" }),
  value("diagnostics-address", withAddress, { flag: "--diagnostics-address" }),
  boolean("insecure-diagnostics", withAddress, { flag: "--insecure-diagnostics" }),
  ...["metrics-bind-address", "metrics-bind-addr", "metrics-addr"].map((name, index) =>
    value(name, ([["Elemental", "Linode"], ["Tinkerbell"], ["k3s"]] as const)[index] ?? [], {
      special: "metrics",
      means: "`--diagnostics-address` with `--insecure-diagnostics`; `0` is `off`",
    }),
  ),
  boolean("metrics-secure", ["Linode"], {
    special: "metricsSecure",
    means: "the same without `--insecure-diagnostics`",
  }),
  value("health-addr", withPods, { flag: "--health-addr" }),
  value("health-probe-bind-address", ["Elemental", "Linode"], { flag: "--health-addr" }),
  value("webhook-port", withPods, { flag: "--webhook-port" }),
  value("webhook-cert-dir", withPods, inSecret),
  value("webhook-cert-name", clusterApi, inSecret),
  value("webhook-key-name", clusterApi, inSecret),
  value("tls-min-version", withAddress, {
    ignored: "TLS 1.2 and later are supported",
    otherwise: {
      than: ["VersionTLS10", "VersionTLS11", "VersionTLS12"],
      refused: "set NODE_OPTIONS=--tls-min-v1.3 in the environment instead",
    },
  }),
  value("tls-cipher-suites", withAddress, {
    refused: "set NODE_OPTIONS=--tls-cipher-list=... in the environment instead, with the names of OpenSSL",
  }),
  value("profiler-address", [...withAddress], noTrace),
  boolean("contention-profiling", clusterApi, noTrace),
  value("kube-api-qps", [...clusterApi, "Linode"], limits),
  value("kube-api-burst", [...clusterApi, "Linode"], limits),
  ...["clustercache", "clustercachetracker"].flatMap((name) => [
    value(`${name}-client-qps`, [...clusterApi, "RKE2"], limits),
    value(`${name}-client-burst`, [...clusterApi, "RKE2"], limits),
    value(`${name}-concurrency`, [...clusterApi, "RKE2"], {
      ignored: "connections to workload clusters are not limited",
    }),
  ]),
  value("skip-crd-migration-phases", [...clusterApi, "RKE2"], { ignored: "the manager does not migrate CRDs" }),
  value("runtime-extension-client-cert-file", ["core", "kubeadm control plane", "RKE2"], noExtensions),
  value("runtime-extension-client-key-file", ["core", "kubeadm control plane", "RKE2"], noExtensions),
  value("feature-gates", withAddress, { special: "featureGates", means: "see the table of feature gates" }),
];

const logging: readonly UpstreamFlag[] = [
  value("v", withAddress, { special: "verbosity", means: "`--log-level`: `debug` from 4, else `info`" }),
  value("logging-format", clusterApi, { flag: "--output" }),
  value("vmodule", withAddress, noLogFiles),
  ...["log-flush-frequency", "log-json-info-buffer-size", "log-text-info-buffer-size"].map((name) =>
    value(name, clusterApi, noLogFiles),
  ),
  ...["log-json-split-stream", "log-text-split-stream"].map((name) => boolean(name, clusterApi, noLogFiles)),
  ...["log-file", "log-dir", "log-file-max-size", "log-backtrace-at", "stderrthreshold"].map((name) =>
    value(name, ["Azure", "RKE2"], noLogFiles),
  ),
  ...["logtostderr", "alsologtostderr", "skip-headers", "skip-log-headers", "one-output", "add-dir-header"].map(
    (name) => boolean(name, ["Azure", "RKE2"], noLogFiles),
  ),
  value("zap-log-level", withZap, { special: "zapLevel", means: "`--log-level`: a number is `debug`" }),
  boolean("zap-devel", withZap, noLogFiles),
  value("zap-encoder", withZap, { ignored: "--output selects JSON logs" }),
  value("zap-stacktrace-level", withZap, noLogFiles),
  value("zap-time-encoding", withZap, noLogFiles),
];

const ofCore: readonly UpstreamFlag[] = [
  value("remote-connection-grace-period", ["core"], { option: "core.remoteConnectionGrace" }),
  value("remote-conditions-grace-period", ["core", "kubeadm control plane"], { option: "core.remoteConditionsGrace" }),
  value("additional-sync-machine-labels", ["core"], { option: "core.additionalSyncMachineLabels", splits: true }),
  value("additional-sync-machine-annotations", ["core"], {
    option: "core.additionalSyncMachineAnnotations",
    splits: true,
  }),
  value("machineset-preflight-checks", ["core"], {
    ignored: "all checks run; the annotation machineset.cluster.x-k8s.io/skip-preflight-checks skips some",
  }),
  value("node-drain-client-timeout-duration", ["core"], { ignored: "a drain is retried automatically" }),
  concurrency("cluster", "core", "Cluster"),
  concurrency("machine", "core", "Machine"),
  concurrency("machineset", "core", "MachineSet"),
  concurrency("machinedeployment", "core", "MachineDeployment"),
  concurrency("machinepool", "core", "MachinePool"),
  concurrency("machinehealthcheck", "core", "MachineHealthCheck"),
  value("clustertopology-concurrency", ["core"], notServed("Cluster.spec.topology")),
  value("clusterclass-concurrency", ["core"], notServed("ClusterClass")),
  value("extensionconfig-concurrency", ["core"], notServed("ExtensionConfig")),
  value("clusterresourceset-concurrency", ["core"], notServed("ClusterResourceSet")),
];

const ofBootstrapAndControlPlane: readonly UpstreamFlag[] = [
  value("bootstrap-token-ttl", ["kubeadm bootstrap"], { option: "bootstrap-kubeadm.tokenTtl" }),
  concurrency("kubeadmconfig", "kubeadm bootstrap", "KubeadmConfig"),
  concurrency("kubeadmcontrolplane", "kubeadm control plane", "KubeadmControlPlane"),
  value("etcd-dial-timeout-duration", ["kubeadm control plane", "k3s"], {
    ignored: "etcd is reached through a port-forward of the API server with a timeout of 30 s",
  }),
  value("etcd-call-timeout-duration", ["kubeadm control plane", "k3s"], {
    ignored: "etcd is reached through a port-forward of the API server with a timeout of 30 s",
  }),
  value("etcd-client-log-level", ["kubeadm control plane"], noLogFiles),
  value("concurrency", ["RKE2", "k3s"], { flag: "--concurrency" }),
];

const ofLinode: readonly UpstreamFlag[] = [
  ...["machine", "cluster", "object-storage-bucket", "object-storage-key"].map((kind) =>
    value(`${kind}-watch-filter`, ["Linode"], { flag: "--watch-filter" }),
  ),
  concurrency("linodecluster", "Linode", "LinodeCluster"),
  concurrency("linodemachine", "Linode", "LinodeMachine"),
  concurrency("linodemachinetemplate", "Linode", "LinodeMachineTemplate"),
  concurrency("linodeobjectstoragebucket", "Linode", "LinodeObjectStorageBucket", "LinodeObjectStorageKey"),
  concurrency("linodevpc", "Linode", "LinodeVPC"),
  concurrency("linodeplacementgroup", "Linode", "LinodePlacementGroup"),
  concurrency("linodefirewall", "Linode", "LinodeFirewall"),
];

const ofAzure: readonly UpstreamFlag[] = [
  concurrency("azurecluster", "Azure", "AzureCluster"),
  concurrency("azuremachine", "Azure", "AzureMachine"),
  concurrency("azuremachinepool", "Azure", "AzureMachinePool"),
  concurrency("azuremachinepoolmachine", "Azure", "AzureMachinePoolMachine"),
  value("api-call-timeout", ["Azure"], { option: "infra-azure.timeout" }),
  value("debouncing-timer", ["Azure"], manySteps),
  value("reconcile-timeout", ["Azure"], manySteps),
  value("service-reconcile-timeout", ["Azure"], manySteps),
  value("reconciler-requeue", ["Azure"], manySteps),
  boolean("enable-tracing", ["Azure"], { ignored: "traces are not exported" }),
  value("bootstrap-config-gvk", ["Azure"], { ignored: "every kind of bootstrap config is supported" }),
  value("disable-controllers-or-webhooks", ["Azure"], {
    refused: "controllers run per provider: omit providers from --providers",
  }),
];

const ofMetal: readonly UpstreamFlag[] = [
  concurrency("tinkerbellcluster", "Tinkerbell", "TinkerbellCluster"),
  concurrency("tinkerbellmachine", "Tinkerbell", "TinkerbellMachine"),
  ...["hardware", "template", "workflow"].map((kind) =>
    value(`tinkerbell-${kind}-concurrency`, ["Tinkerbell"], {
      ignored: "--concurrency KIND=N, for the provider tinkerbell",
    }),
  ),
  value("external-kubeconfig", ["Tinkerbell"], {
    refused: "Hardware and Workflows are read from the management cluster; run the provider where they are",
  }),
];

/** Every flag of upstream's managers, in the order of the guide. */
export const upstreamFlags: readonly UpstreamFlag[] = [
  ...common,
  ...logging,
  ...ofCore,
  ...ofBootstrapAndControlPlane,
  ...ofLinode,
  ...ofAzure,
  ...ofMetal,
];
