import type { KubeObject } from "@capstan/schema";
import { invalid as invalidStatus, internalError } from "../../model/status-error.ts";
import type { HookContext } from "../../model/types.ts";
import type { AddressRange } from "../../values/address-range.ts";
import { invalid } from "../validation/causes.ts";
import { filledUnset, isSet, listOf, partOf, specOf, textOf } from "../../values/object-parts.ts";
import type { Part } from "../../values/object-parts.ts";
import { isChecked } from "../validation/service.ts";

const names = { group: "", plural: "services", kind: "Service" };
const firstNodePort = 30_000;
const nodePortCount = 2_768;

/**
 * Returns how many of the first addresses or node ports are held back for requests of a specific one: others get them only when the rest
 * is taken. A share of all, at least 16 if there are more, as in Kubernetes.
 */
const heldBack = (size: number, share: number, most: number): number =>
  size <= 16 ? 0 : Math.min(Math.max(16, Math.floor(size / share)), most);

const heldBackAddresses = ({ size }: AddressRange): number => heldBack(size + 2, 16, 256);
const heldBackPorts = heldBack(nodePortCount, 32, 128);

/**
 * A Service with its cluster address and node ports: those of `old` where it has them, those the client asks for when they are
 * free, else random free ones. Throws a 422 for an address or port that is taken or out of range.
 */
export const allocated = (
  object: KubeObject,
  old: KubeObject | undefined,
  range: AddressRange,
  context: HookContext,
): KubeObject => {
  const spec = specOf(object);
  if (spec["type"] === "ExternalName") {
    const { clusterIP: _clusterIP, clusterIPs: _clusterIPs, ...rest } = spec;
    return { ...object, spec: rest };
  }
  const others = context.store
    .peekAll({ group: "", plural: "services" })
    .filter((other) => other.metadata.uid !== object.metadata.uid)
    .map(specOf);
  const clusterIP = clusterAddress(object, old, { range, others, context });
  const taken = new Set(others.flatMap(nodePortsOf));
  const ports = portsOf(object, old, taken, context);
  const complete = { ...spec, clusterIP, clusterIPs: [clusterIP], ...(ports === undefined ? {} : { ports }) };
  return { ...object, spec: withHealthPort(complete, old, taken, context) };
};

/** Every port on Nodes that a Service has. */
const nodePortsOf = ({ ports, healthCheckNodePort }: Part): readonly unknown[] =>
  [...listOf(ports).map((port) => partOf(port)["nodePort"]), healthCheckNodePort].filter(isSet);

const isNodePort = (port: unknown): boolean =>
  typeof port === "number" && port >= firstNodePort && port < firstNodePort + nodePortCount;

const freeNodePort = (isTaken: (port: number) => boolean, context: HookContext): number => {
  const free = freeIndex(nodePortCount, heldBackPorts, (index) => isTaken(firstNodePort + index), context);
  if (free === undefined) {
    throw internalError("failed to allocate a nodePort: range is full");
  }
  return firstNodePort + free;
};

/** With the port at which balancers ask for the health of a Node: the one it has, the one it asks for, else a free one. */
const withHealthPort = (
  spec: Part,
  old: KubeObject | undefined,
  taken: ReadonlySet<unknown>,
  context: HookContext,
): Part => {
  if (!isChecked(spec)) {
    return spec;
  }
  const { healthCheckNodePort: asked = 0, ...others } = spec;
  const before = old !== undefined && isChecked(specOf(old)) ? (specOf(old)["healthCheckNodePort"] ?? 0) : 0;
  if (before !== 0) {
    return filledUnset(spec, { healthCheckNodePort: before });
  }
  const own = nodePortsOf(others);
  const isTaken = (port: unknown): boolean => taken.has(port) || own.includes(port);
  if (asked === 0 || asked === null) {
    return { ...others, healthCheckNodePort: freeNodePort(isTaken, context) };
  }
  if (isTaken(asked) || !isNodePort(asked)) {
    const why = isTaken(asked) ? "provided port is already allocated" : "provided port is not in the valid range";
    throw internalError(`failed to allocate requested HealthCheck NodePort ${String(asked)}: ${why}`);
  }
  return spec;
};

/** Returns whether another Service has got the address, or one of the node ports, that were chosen for this one. */
export const isAllocatedTwice = (object: KubeObject, old: KubeObject | undefined, { store }: HookContext): boolean => {
  const before = old === undefined ? [] : [specOf(old)["clusterIP"], ...nodePortsOf(specOf(old))];
  const { clusterIP } = specOf(object);
  const nodePorts = nodePortsOf(specOf(object)).filter((port) => !before.includes(port));
  return store.peekAll({ group: "", plural: "services" }).some((other) => {
    const spec = specOf(other);
    return (
      other.metadata.uid !== object.metadata.uid &&
      ((typeof clusterIP === "string" &&
        clusterIP !== "None" &&
        !before.includes(clusterIP) &&
        spec["clusterIP"] === clusterIP) ||
        nodePortsOf(spec).some((port) => nodePorts.includes(port)))
    );
  });
};

interface Surroundings {
  readonly range: AddressRange;
  readonly others: readonly Part[];
  readonly context: HookContext;
}

const clusterAddress = (
  object: KubeObject,
  old: KubeObject | undefined,
  { range, others, context }: Surroundings,
): string => {
  const spec = specOf(object);
  const before = old === undefined ? "" : textOf(specOf(old)["clusterIP"]);
  const wanted = textOf(spec["clusterIP"]) || textOf(listOf(spec["clusterIPs"])[0]) || before;
  if (wanted === "None" || (wanted !== "" && wanted === before)) {
    return wanted;
  }
  const taken = new Set(others.map((other) => textOf(other["clusterIP"])));
  if (wanted === "") {
    // The very first is that of the Service `kubernetes`, whether it is there or not.
    const isTaken = (index: number): boolean => index === 0 || taken.has(range.at(index));
    const free = freeIndex(range.size, heldBackAddresses(range), isTaken, context);
    if (free === undefined) {
      throw internalError("failed to allocate a serviceIP: range is full");
    }
    return range.at(free);
  }
  if (!range.contains(wanted) || taken.has(wanted)) {
    const why = taken.has(wanted) ? "provided IP is already allocated" : "the provided IP is not in the valid range";
    throw refused(object, "spec.clusterIPs", [wanted], `failed to allocate IP ${wanted}: ${why}`);
  }
  return wanted;
};

const portKey = ({ port, protocol }: Part): string => `${String(protocol)} ${String(port)}`;

const isAsked = ({ nodePort }: Part): boolean => isSet(nodePort) && nodePort !== 0;

/** The ports with node ports where the type wants them; undefined when there are no ports. */
const portsOf = (
  object: KubeObject,
  old: KubeObject | undefined,
  taken: ReadonlySet<unknown>,
  context: HookContext,
): readonly Part[] | undefined => {
  const spec = specOf(object);
  if (!Array.isArray(spec["ports"])) {
    return undefined;
  }
  const wantsNodePorts =
    spec["type"] === "NodePort" || (spec["type"] === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
  const before = new Map(
    listOf(old === undefined ? [] : specOf(old)["ports"])
      .map(partOf)
      .map((port) => [portKey(port), port]),
  );
  const kept = new Set([...before.values()].map(({ nodePort }) => nodePort));
  const ports = spec["ports"].map(partOf);
  const own = new Set<unknown>();
  /** Node ports by port. */
  const chosen = new Map<unknown, unknown>();
  /** In a new Service, what is served at one port by several protocols is at one node port as well. */
  const shared = ({ port }: Part): unknown =>
    old === undefined
      ? (chosen.get(port) ?? ports.find((other) => other["port"] === port && isAsked(other))?.["nodePort"])
      : undefined;
  return ports.map((port, index) => {
    if (!wantsNodePorts) {
      return port;
    }
    const nodePort = isAsked(port) ? port["nodePort"] : (before.get(portKey(port))?.["nodePort"] ?? shared(port));
    if (nodePort === undefined) {
      const free = freeNodePort((candidate) => taken.has(candidate) || own.has(candidate), context);
      own.add(free);
      chosen.set(port["port"], free);
      return { ...port, nodePort: free };
    }
    const isOwn = old === undefined ? chosen.get(port["port"]) === nodePort : kept.has(nodePort) || own.has(nodePort);
    if (!isOwn && (taken.has(nodePort) || own.has(nodePort))) {
      throw refused(object, `spec.ports[${index}].nodePort`, nodePort, "provided port is already allocated");
    }
    if (!isNodePort(nodePort)) {
      throw refused(
        object,
        `spec.ports[${index}].nodePort`,
        nodePort,
        "provided port is not in the valid range. The range of valid ports is 30000-32767",
      );
    }
    own.add(nodePort);
    chosen.set(port["port"], nodePort);
    return { ...port, nodePort };
  });
};

const refused = (object: KubeObject, field: string, value: unknown, message: string): Error =>
  invalidStatus(names, object.metadata.name ?? "", [invalid(field, value, message)]);

/** A free index below `size`, one from `held` on if there is any, searched from a random start; undefined when all are taken. */
const freeIndex = (
  size: number,
  held: number,
  isTaken: (index: number) => boolean,
  { random }: HookContext,
): number | undefined => {
  for (const [first, count] of [
    [held, size - held],
    [0, held],
  ] as const) {
    const start = Math.floor(random.next() * count);
    for (let step = 0; step < count; step += 1) {
      const index = first + ((start + step) % count);
      if (!isTaken(index)) {
        return index;
      }
    }
  }
  return undefined;
};
