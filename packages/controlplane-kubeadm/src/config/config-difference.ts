import type { KubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import { isJsonObject, sameJson, type JsonObject } from "@capstan/schema";
import type { KubeadmControlPlane } from "../api.ts";
import { machineConfig } from "./machine-config.ts";

/** Fields that init and join have alike. */
const ofBoth = ["nodeRegistration", "patches", "skipPhases", "timeouts"] as const;

/** Without what is empty, which means the same as absent everywhere but for taints. */
const pruned = (value: unknown, name?: string): unknown => {
  if (Array.isArray(value)) {
    return value.length === 0 && name !== "taints" ? undefined : value.map((item) => pruned(item));
  }
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value)
    .map(([key, member]) => [key, pruned(member, key)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
};

const without = (object: JsonObject | undefined, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => !names.includes(name)));

const part = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined);

/** With what kubeadm and its provider fill in anyway, and without what is only theirs. */
const comparable = (spec: KubeadmConfigSpec): unknown => {
  const side = (given: unknown): JsonObject => {
    const object = part(given);
    const timeouts = without(part(object?.["timeouts"]), ["controlPlaneComponentHealthCheckSeconds"]);
    const registration = { imagePullPolicy: "IfNotPresent", ...part(object?.["nodeRegistration"]) };
    return { ...without(object, ["discovery"]), timeouts, nodeRegistration: registration };
  };
  return pruned({
    ...spec,
    format: spec.format ?? "cloud-config",
    clusterConfiguration: without(part(spec.clusterConfiguration), ["controlPlaneEndpoint", "dns"]),
    initConfiguration: side(spec.initConfiguration),
    joinConfiguration: side(spec.joinConfiguration),
  });
};

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

/** Whether a Machine whose configuration is this would have another one if it were made now. */
export const isConfigOutdated = (object: Pick<KubeadmControlPlane, "spec">, current: KubeadmConfigSpec): boolean => {
  const desired = machineConfig(object, "join");
  const isFirst = current.joinConfiguration?.controlPlane === undefined;
  const joining = isFirst ? asJoining(current, desired) : current;
  if (sameJson(comparable(joining), comparable(desired))) return false;
  return !isFirst || !sameJson(comparable(current), comparable(machineConfig(object, "init")));
};
