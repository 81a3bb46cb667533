import { keyOf, keyText } from "@capstan/kube-values";
import type { Hardware } from "@capstan/tinkerbell/api";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";

/** `namespace/name`, for messages. */
export const hardwareName = (hardware: Hardware): string => keyText(keyOf(hardware));

export const providerIDOf = (hardware: Hardware): string => `tinkerbell://${hardwareName(hardware)}`;

/** The address of its first interface. */
export const addressOf = ({ spec }: Hardware): string | undefined => {
  const address = spec?.interfaces?.[0]?.dhcp?.ip?.address;
  return address === "" ? undefined : address;
};

/** The MAC address of its first interface that has one. */
export const macOf = ({ spec }: Hardware): string | undefined =>
  spec?.interfaces?.map(({ dhcp }) => dhcp?.mac).find((mac) => mac !== undefined && mac !== "");

/** By which its agent asks for work: as what boots from the network is told to call itself. */
export const agentOf = (hardware: Hardware): string | undefined => {
  const { agentID = "" } = hardware.spec ?? {};
  return agentID === "" ? macOf(hardware) : agentID;
};

/** The disk that gets the operating system. */
export const diskOf = ({ spec }: Hardware): string | undefined => {
  const device = spec?.disks?.[0]?.device;
  return device === "" ? undefined : device;
};

/** Returns whether its workflow has succeeded, for the machine that has it. */
export const isProvisioned = ({ metadata }: Hardware): boolean =>
  metadata.annotations?.[TinkerbellAnnotation.provisioned] === "true";
