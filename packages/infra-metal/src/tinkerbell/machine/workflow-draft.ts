import type { Draft } from "@capstan/kit/engine";
import type { Hardware, Workflow } from "@capstan/tinkerbell/api";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { agentOf, macOf } from "./hardware-facts.ts";

type BootOptions = NonNullable<NonNullable<TinkerbellMachine["spec"]>["bootOptions"]>;

/** The address of an ISO for one machine: whoever serves it knows the machine by what stands before the file's name. */
const isoUrlFor = (url: string, mac: string): string => {
  const parsed = new URL(url);
  const at = parsed.pathname.lastIndexOf("/");
  parsed.pathname = `${parsed.pathname.slice(0, at)}/${mac.replaceAll(":", "-")}${parsed.pathname.slice(at)}`;
  return parsed.href;
};

const bootOptionsOf = (hardware: Hardware, { isoURL = "", ...options }: BootOptions = {}) => {
  // Without board management someone has to boot the machine by hand.
  if (hardware.spec?.bmcRef === undefined || options.bootMode === undefined) return { toggleAllowNetboot: true };
  return {
    toggleAllowNetboot: true,
    ...options,
    ...(isoURL !== "" && { isoURL: isoUrlFor(isoURL, macOf(hardware) ?? "") }),
  };
};

/** The Workflow that installs a machine, by its Template. */
export const workflowDraft = (machine: TinkerbellMachine, hardware: Hardware, template: string): Draft<Workflow> => {
  const { name = "" } = machine.metadata;
  return {
    metadata: { name },
    spec: {
      templateRef: template,
      hardwareRef: hardware.metadata.name ?? "",
      hardwareMap: { device_1: agentOf(hardware) ?? "" },
      bootOptions: bootOptionsOf(hardware, machine.spec?.bootOptions),
    },
  };
};
