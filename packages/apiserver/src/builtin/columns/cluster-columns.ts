import type { KubeObject } from "@capstan/schema";
import type { Part } from "../../values/object-parts.ts";
import type { PrinterColumn } from "../../model/types.ts";
import { age } from "../../table/age.ts";
import {
  ageColumn,
  at,
  column,
  joined,
  labelText,
  nameColumn,
  numberAt,
  orNone,
  partAt,
  partsAt,
  textAt,
  wide,
} from "../../table/column.ts";

const nodeStatus = (node: KubeObject): string => {
  const ready = partsAt(node, "status", "conditions").find((condition) => condition["type"] === "Ready");
  const status = ready === undefined ? "Unknown" : ready["status"] === "True" ? "Ready" : "NotReady";
  return at(node, "spec", "unschedulable") === true ? `${status},SchedulingDisabled` : status;
};

const rolePrefix = "node-role.kubernetes.io/";

const nodeRoles = ({ metadata }: KubeObject): string =>
  joined(
    Object.entries(metadata.labels ?? {})
      .map(([key, value]) =>
        key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === "kubernetes.io/role" ? value : "",
      )
      .filter((role) => role !== "")
      .sort(),
  );

const address =
  (type: string) =>
  (node: KubeObject): string =>
    orNone(textAt(partsAt(node, "status", "addresses").find((entry) => entry["type"] === type) ?? {}, "address"));

const nodeInfo =
  (field: string) =>
  (node: KubeObject): string =>
    textAt(node, "status", "nodeInfo", field) || "<unknown>";

export const nodeColumns: readonly PrinterColumn[] = [
  nameColumn,
  column("Status", "Whether the node is ready and takes Pods.", nodeStatus),
  column("Roles", "Roles given by labels.", nodeRoles),
  ageColumn,
  column("Version", "Version of the kubelet.", (node) => textAt(node, "status", "nodeInfo", "kubeletVersion")),
  wide(column("Internal-IP", "Address inside the cluster.", address("InternalIP"))),
  wide(column("External-IP", "Address reachable from outside.", address("ExternalIP"))),
  wide(column("OS-Image", "Operating system.", nodeInfo("osImage"))),
  wide(column("Kernel-Version", "Version of the kernel.", nodeInfo("kernelVersion"))),
  wide(column("Container-Runtime", "Container runtime and its version.", nodeInfo("containerRuntimeVersion"))),
];

const externalAddress = (service: KubeObject): string => {
  const type = textAt(service, "spec", "type");
  const listed = at(service, "spec", "externalIPs");
  const external = Array.isArray(listed) ? listed.map(String) : [];
  if (type === "ExternalName") {
    return textAt(service, "spec", "externalName");
  }
  if (type !== "LoadBalancer") {
    return joined(external);
  }
  const ingress = partsAt(service, "status", "loadBalancer", "ingress").map(
    (entry) => textAt(entry, "ip") || textAt(entry, "hostname"),
  );
  const all = [...ingress, ...external].filter((entry) => entry !== "");
  return all.length === 0 ? "<pending>" : joined(all);
};

const portText = (port: Part): string => {
  const nodePort = numberAt(port, "nodePort");
  return `${numberAt(port, "port")}${nodePort === 0 ? "" : `:${nodePort}`}/${textAt(port, "protocol")}`;
};

export const serviceColumns: readonly PrinterColumn[] = [
  nameColumn,
  column("Type", "How the Service is reached.", (service) => textAt(service, "spec", "type")),
  column("Cluster-IP", "Address inside the cluster.", (service) => orNone(textAt(service, "spec", "clusterIP"))),
  column("External-IP", "Addresses reachable from outside.", externalAddress),
  column("Port(s)", "Ports, with node ports and protocols.", (service) =>
    joined(partsAt(service, "spec", "ports").map(portText)),
  ),
  ageColumn,
  wide(
    column("Selector", "Labels of the Pods behind the Service.", (service) =>
      labelText(partAt(service, "spec", "selector")),
    ),
  ),
];

const shownEndpoints = 3;

/** The first addresses with their ports. */
export const endpointText = (object: KubeObject): string => {
  const all = partsAt(object, "subsets").flatMap((subset) => {
    const addresses = partsAt(subset, "addresses").map((entry) => textAt(entry, "ip"));
    const ports = partsAt(subset, "ports").map((port) => numberAt(port, "port"));
    return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((ip) => `${ip}:${port}`));
  });
  const more = all.length > shownEndpoints ? ` + ${all.length - shownEndpoints} more...` : "";
  return `${joined(all.slice(0, shownEndpoints))}${more}`;
};

const source = (event: KubeObject): string => {
  const component = textAt(event, "source", "component") || textAt(event, "deprecatedSource", "component");
  const host = textAt(event, "source", "host") || textAt(event, "deprecatedSource", "host");
  const controller = textAt(event, "reportingComponent") || textAt(event, "reportingController");
  return [component || controller, host].filter((part) => part !== "").join(", ");
};

const reference = (event: KubeObject): Part => ({ ...partAt(event, "involvedObject"), ...partAt(event, "regarding") });

const firstSeen = (event: KubeObject): unknown =>
  at(event, "firstTimestamp") ?? at(event, "deprecatedFirstTimestamp") ?? at(event, "eventTime");

const lastSeen = (event: KubeObject): unknown =>
  at(event, "series", "lastObservedTime") ??
  at(event, "lastTimestamp") ??
  at(event, "deprecatedLastTimestamp") ??
  firstSeen(event);

const eventCount = (event: KubeObject): number =>
  numberAt(event, "series", "count") || numberAt(event, "count") || numberAt(event, "deprecatedCount") || 1;

const target = (event: KubeObject): string => {
  const { kind, name } = reference(event);
  const lower = String(kind ?? "").toLowerCase();
  return name === undefined || name === "" ? lower : `${lower}/${String(name)}`;
};

/** Columns of events of both groups, whose members have different names. */
export const eventColumns: readonly PrinterColumn[] = [
  column("Last Seen", "Time since it happened last.", (event, now) => age(lastSeen(event), now)),
  column("Type", "Normal or Warning.", (event) => textAt(event, "type")),
  column("Reason", "What happened, in one word.", (event) => textAt(event, "reason")),
  column("Object", "What it happened to.", target),
  wide(column("Subobject", "The part of the object it happened to.", (event) => textAt(reference(event), "fieldPath"))),
  wide(column("Source", "Who reported it.", source)),
  column("Message", "What happened.", (event) => (textAt(event, "message") || textAt(event, "note")).trim()),
  wide(column("First Seen", "Time since it happened first.", (event, now) => age(firstSeen(event), now))),
  wide(column("Count", "How often it happened.", eventCount)),
  wide({ ...nameColumn, priority: 1 }),
];
