import type { Argument, KubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import { byText } from "@capstan/kube-values";
import { isJsonObject, sameJson, type JsonObject } from "@capstan/schema";
import type { KubeadmControlPlane } from "../api.ts";
import { isLocalModeDefaulted, localMode, machineConfig } from "./machine-config.ts";

/** Fields that init and join have alike. */
const ofBoth = ["nodeRegistration", "patches", "skipPhases", "timeouts"] as const;

/** Switches that the older version of the kinds has no way to leave out: false there is absent here. */
const plainSwitches = new Set(["append", "layout", "readOnly", "strict"]);

/** Values of these may be empty and still mean something. */
const mayBeEmpty = new Set(["value", "content"]);

const isUnset = (value: unknown, name: string | undefined): boolean =>
  value === undefined ||
  value === null ||
  (value === "" && !mayBeEmpty.has(name ?? "")) ||
  (value === false && plainSwitches.has(name ?? ""));

/** Without what is empty, which means the same as absent everywhere but for taints, and what older releases wrote in its place. */
const pruned = (value: unknown, name?: string): unknown => {
  if (Array.isArray(value)) {
    return value.length === 0 && name !== "taints" ? undefined : value.map((item) => pruned(item));
  }
  if (!isJsonObject(value)) return isUnset(value, name) ? undefined : value;
  const members = Object.entries(value)
    .map(([key, member]) => [key, pruned(member, key)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
};

const without = (object: JsonObject | undefined, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => !names.includes(name)));

const part = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined);

/** Arguments by name: older releases kept them in a map, whose order is lost. */
const sortedArgs = (value: unknown): unknown =>
  Array.isArray(value)
    ? (value as readonly Argument[]).toSorted((left, right) => byText(left.name, right.name))
    : value;

const withSortedArgs = (object: JsonObject | undefined, name: string): JsonObject =>
  object?.[name] === undefined ? { ...object } : { ...object, [name]: sortedArgs(object[name]) };

/**
 * Returns the fields that init and join share, with the defaults of either generation and without those that only their
 * provider writes.
 */
const sideOf = (given: unknown): JsonObject => {
  const object = part(given);
  const timeouts = without(part(object?.["timeouts"]), ["controlPlaneComponentHealthCheckSeconds"]);
  const registration = { imagePullPolicy: "IfNotPresent", ...part(pruned(object?.["nodeRegistration"])) };
  return {
    ...without(object, ["discovery"]),
    timeouts,
    nodeRegistration: withSortedArgs(registration, "kubeletExtraArgs"),
  };
};

/** Returns whether init or join says anything that is not a default. */
const isSaid = (given: unknown): boolean => !sameJson(pruned(sideOf(given)), pruned(sideOf(undefined)));

const components = ["apiServer", "controllerManager", "scheduler"] as const;

/**
 * Without what follows in place, and without the feature gate that releases set or left out by themselves, each for other versions of
 * Kubernetes.
 */
const clusterOf = (given: unknown, version: string): JsonObject => {
  const cluster = without(part(given), ["controlPlaneEndpoint", "dns"]);
  const gates = part(cluster["featureGates"]);
  const ours = isLocalModeDefaulted(version) && gates?.[localMode] === true ? [localMode] : [];
  const etcd = part(cluster["etcd"]);
  return {
    ...cluster,
    ...Object.fromEntries(components.map((name) => [name, withSortedArgs(part(cluster[name]), "extraArgs")])),
    ...(etcd === undefined ? {} : { etcd: { ...etcd, local: withSortedArgs(part(etcd["local"]), "extraArgs") } }),
    featureGates: without(gates, ours),
  };
};

const comparable = (spec: KubeadmConfigSpec, version: string): unknown =>
  pruned({
    ...spec,
    format: spec.format ?? "cloud-config",
    clusterConfiguration: clusterOf(spec.clusterConfiguration, version),
    initConfiguration: sideOf(spec.initConfiguration),
    joinConfiguration: sideOf(spec.joinConfiguration),
  });

/** The configuration of the first Machine, as one that joins would have it. */
const asJoining = (current: KubeadmConfigSpec, desired: KubeadmConfigSpec): KubeadmConfigSpec => {
  const { initConfiguration, joinConfiguration: _, ...rest } = current;
  const moved = Object.fromEntries(
    ofBoth.flatMap((name) => (initConfiguration?.[name] === undefined ? [] : [[name, initConfiguration[name]]])),
  );
  const endpoint = initConfiguration?.localAPIEndpoint;
  const caCertPath = desired.joinConfiguration?.caCertPath;
  return {
    ...rest,
    joinConfiguration: {
      ...moved,
      ...(caCertPath === undefined ? {} : { caCertPath }),
      controlPlane: endpoint === undefined ? {} : { localAPIEndpoint: endpoint },
    },
  };
};

/**
 * Returns whether a configuration is of the first Machine. That it joins cannot be told by `joinConfiguration.controlPlane`, which a release left
 * out. One that says nothing on either side can be of either.
 */
const mayBeFirst = ({ initConfiguration, joinConfiguration }: KubeadmConfigSpec): boolean =>
  isSaid(initConfiguration) || (joinConfiguration?.discovery === undefined && !isSaid(joinConfiguration));

/** Returns whether a Machine whose configuration is this would have another one if it were made now. */
export const isConfigOutdated = (object: Pick<KubeadmControlPlane, "spec">, current: KubeadmConfigSpec): boolean => {
  const { version } = object.spec;
  const desired = machineConfig(object, "join");
  const isSame = (left: KubeadmConfigSpec, right: KubeadmConfigSpec): boolean =>
    sameJson(comparable(left, version), comparable(right, version));
  if (isSame(current, desired)) return false;
  if (!mayBeFirst(current)) return true;
  const { joinConfiguration: _, ...first } = current;
  return !isSame(asJoining(current, desired), desired) && !isSame(first, machineConfig(object, "init"));
};
