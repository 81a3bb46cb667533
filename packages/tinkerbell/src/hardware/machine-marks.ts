import { isIP } from "node:net";
import { keyText } from "@capstan/kube-values";
import type { Hardware } from "../api/hardware.ts";

/** By what a Hardware tells its machine from others. */
export interface MachineMark {
  /** `agent`: the id of its agent, or of its instance; `board`: its board management. */
  readonly kind: "mac" | "agent" | "address" | "board";
  readonly field: string;
  /** As the Hardware has it. */
  readonly value: string;
  /** The same for the same thing, however it is written. */
  readonly key: string;
}

/** Placeholder addresses of interfaces that have not been filled in. */
const placeholders: readonly string[] = ["000000000000", "ffffffffffff", "0.0.0.0", "::"];

/** MAC addresses without separators, IP addresses in their shortest form, anything else in lower case. */
export const normalized = (text: string): string => {
  const value = text.trim().toLowerCase();
  const digits = value.replaceAll(/[:.-]/g, "");
  if (/^[0-9a-f]{12}$/.test(digits) && isIP(value) === 0) return digits;
  return isIP(value) === 6 ? new URL(`http://[${value}]`).hostname.slice(1, -1) : value;
};

/** A machine has no more interfaces; those that stand behind these are not looked at, and admission refuses them. */
export const mostInterfaces = 128;

/** The interfaces by which a machine is known and found. */
export const interfacesOf = ({ spec }: Hardware): NonNullable<NonNullable<Hardware["spec"]>["interfaces"]> =>
  spec?.interfaces?.slice(0, mostInterfaces) ?? [];

const mark = (kind: MachineMark["kind"], field: string, value: string | undefined): readonly MachineMark[] => {
  const key = normalized(value ?? "");
  return value === undefined || key === "" || placeholders.includes(key) ? [] : [{ kind, field, value, key }];
};

/** Under which the board management `namespace/name` is found among marks. */
export const boardKey = (key: {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}): string => `board ${keyText({ namespace: key.namespace ?? "", name: key.name ?? "" })}`;

/**
 * Returns the marks of Hardware, which no two Hardware may share. Any of them identifies an agent, so the agent id of one machine may be
 * the address of another.
 */
export const marksOf = (hardware: Hardware): readonly MachineMark[] => {
  const {
    metadata: { namespace },
    spec = {},
  } = hardware;
  const { agentID, bmcRef, metadata } = spec;
  return [
    ...interfacesOf(hardware).flatMap(({ dhcp }, index) => [
      ...mark("mac", `spec.interfaces[${index}].dhcp.mac`, dhcp?.mac),
      ...mark("address", `spec.interfaces[${index}].dhcp.ip.address`, dhcp?.ip?.address),
    ]),
    ...mark("agent", "spec.agentID", agentID),
    ...mark("agent", "spec.metadata.instance.id", metadata?.instance?.id),
    ...(bmcRef === undefined
      ? []
      : [
          {
            kind: "board",
            field: "spec.bmcRef",
            value: bmcRef.name,
            key: boardKey({ namespace, name: bmcRef.name }),
          } as const,
        ]),
  ];
};
