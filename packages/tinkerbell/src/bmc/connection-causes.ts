import { forbidden } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { BmcMachine } from "../api/bmc-machine.ts";

export type BmcConnection = NonNullable<BmcMachine["spec"]>["connection"];

/** The provider of Redfish, as it is called in the preferred order. */
const redfish = "gofish";

/** What a connection asks for that is not there yet: Redfish and RPC are. */
export const connectionCauses = ({ providerOptions = {} }: BmcConnection, field: string): readonly Cause[] => {
  const { preferredOrder = [], rpc, intelAMT, ipmitool, homeassistant } = providerOptions;
  const path = `${field}.providerOptions`;
  const useOthers = "use Redfish, or rpc";
  const missing = { intelAMT, ipmitool, homeassistant };
  return [
    ...Object.entries(missing).flatMap(([name, value]) =>
      value === undefined ? [] : [forbidden(`${path}.${name}`, `is not served yet; ${useOthers}`)],
    ),
    ...preferredOrder.flatMap((name, index) =>
      name.toLowerCase() === redfish
        ? []
        : [forbidden(`${path}.preferredOrder[${index}]`, `${name} is not served yet; ${useOthers}`)],
    ),
    ...(rpc?.experimental === undefined
      ? []
      : [forbidden(`${path}.rpc.experimental`, "is not served yet; leave it out")]),
    ...(rpc?.request?.timestampFormat === undefined
      ? []
      : [forbidden(`${path}.rpc.request.timestampFormat`, "is not served yet; times are written as RFC 3339 says")]),
  ];
};
