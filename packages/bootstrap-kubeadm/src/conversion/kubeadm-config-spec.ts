import { durationToSeconds, each, fields, plainBool, type Move, type Shape } from "@capstan/kit/admission";
import { isJsonObject } from "@capstan/schema";

/** Arguments by name that became a list, sorted by name. Of duplicates the last one wins on the way back. */
const args: Shape = {
  up: (value) =>
    isJsonObject(value)
      ? Object.keys(value)
          .toSorted()
          .map((name) => ({ name, value: value[name] }))
      : undefined,
  down: (value) =>
    Array.isArray(value)
      ? Object.fromEntries(value.map((arg: { readonly name: string; readonly value: string }) => [arg.name, arg.value]))
      : undefined,
};

const bool = (name: string): Move => [name, name, plainBool];
const inner = (name: string, shape: Shape): Move => [name, name, shape];

const component = fields([
  inner("extraArgs", args),
  inner("extraVolumes", each(fields([bool("readOnly")], { omits: ["readOnly"] }))),
]);

/** Returns an empty object for each field that `v1beta1` always has. */
const empty = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));

const clusterConfiguration = fields(
  [
    ...["apiServer", "controllerManager", "scheduler"].map((name) => inner(name, component)),
    inner("etcd.local.extraArgs", args),
  ],
  {
    older: ["apiVersion", "kind", "networking", "kubernetesVersion", "clusterName"],
  },
);

const typeFields = ["apiVersion", "kind"];
const registration = inner("nodeRegistration.kubeletExtraArgs", args);

const initConfiguration = fields(
  [registration, inner("bootstrapTokens", each(fields([["ttl", "ttlSeconds", durationToSeconds]])))],
  { older: typeFields, zeros: empty("nodeRegistration", "localAPIEndpoint") },
);

const falseOfDiscovery = [
  "discovery.bootstrapToken.unsafeSkipCAVerification",
  "discovery.file.kubeConfig.cluster.insecureSkipTLSVerify",
  "discovery.file.kubeConfig.user.exec.provideClusterInfo",
];

const joinConfiguration = fields(
  [
    registration,
    ...falseOfDiscovery.map(bool),
    ["discovery.timeout", "timeouts.tlsBootstrapSeconds", durationToSeconds],
  ],
  {
    older: typeFields,
    newer: ["timeouts.controlPlaneComponentHealthCheckSeconds"],
    omits: falseOfDiscovery,
    zeros: empty("nodeRegistration", "discovery", "controlPlane.localAPIEndpoint"),
  },
);

/** The older version demands `layout`; the newer one has either it or `diskLayout`. */
const partition: Shape = {
  up: (value) => {
    if (!isJsonObject(value) || value["layout"] === true || value["diskLayout"] === undefined) return value;
    const { layout: _, ...rest } = value;
    return rest;
  },
  down: (value) => (isJsonObject(value) ? { layout: false, ...value } : value),
};

const unknownTimeouts = [
  "kubeletHealthCheckSeconds",
  "kubernetesAPICallSeconds",
  "etcdAPICallSeconds",
  "discoverySeconds",
].map((name) => `timeouts.${name}`);

const parts = fields(
  [
    inner("clusterConfiguration", clusterConfiguration),
    inner("initConfiguration", initConfiguration),
    inner("joinConfiguration", joinConfiguration),
    [
      "clusterConfiguration.apiServer.timeoutForControlPlane",
      "initConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds",
      durationToSeconds,
    ],
    inner("files", each(fields([bool("append")], { omits: ["append"] }))),
    inner("users", each(fields([], { omits: ["sshAuthorizedKeys"] }))),
    inner("diskSetup.filesystems", each(fields([], { omits: ["extraOpts"] }))),
    inner("diskSetup.partitions", each(partition)),
    bool("ignition.containerLinuxConfig.strict"),
  ],
  {
    older: ["useExperimentalRetryJoin"],
    zeros: empty(
      ...["etcd", "networking", "apiServer", "controllerManager", "scheduler", "dns"].map(
        (name) => `clusterConfiguration.${name}`,
      ),
    ),
    omits: ["diskSetup.partitions", "diskSetup.filesystems", "ntp.servers", "ignition.containerLinuxConfig.strict"],
    newer: ["initConfiguration", "joinConfiguration"].flatMap((owner) =>
      [...unknownTimeouts, ...(owner === "initConfiguration" ? ["timeouts.tlsBootstrapSeconds"] : [])].map(
        (name) => `${owner}.${name}`,
      ),
    ),
  },
);

/** The spec of a KubeadmConfig. The older version has one timeout of the control plane, which the newer one has for init and for join. */
export const kubeadmConfigSpecShape: Shape = {
  up: (value, context) => {
    const spec = parts.up(value, context);
    if (!isJsonObject(spec) || !isJsonObject(spec["initConfiguration"])) return spec;
    const { timeouts } = spec["initConfiguration"];
    const join = isJsonObject(spec["joinConfiguration"]) ? spec["joinConfiguration"] : {};
    const joinTimeouts = { ...(timeouts as object), ...(join["timeouts"] as object) };
    return timeouts === undefined ? spec : { ...spec, joinConfiguration: { ...join, timeouts: joinTimeouts } };
  },
  down: parts.down,
};
