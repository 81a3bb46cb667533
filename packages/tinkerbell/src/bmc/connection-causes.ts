import { forbidden } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { presentFields } from "@capstan/kube-values";
import type { BmcMachine } from "../api/bmc-machine.ts";
import { embeddedPayload } from "./embedded-payload.ts";

export type BmcConnection = NonNullable<BmcMachine["spec"]>["connection"];

/** The provider of Redfish, as it is called in the preferred order. */
const redfish = "gofish";

type Experimental = NonNullable<NonNullable<NonNullable<BmcConnection["providerOptions"]>["rpc"]>["experimental"]>;

/** The request may not fit into the document of the user. */
const payloadCauses = (experimental: Experimental | undefined, field: string): readonly Cause[] => {
  const tried = embeddedPayload({}, presentFields(experimental ?? {}));
  return "problem" in tried ? [forbidden(field, tried.problem)] : [];
};

/** Returns the problems of a connection: providers other than Redfish and RPC, and a custom RPC payload that cannot hold the request. */
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
    ...payloadCauses(rpc?.experimental, `${path}.rpc.experimental`),
  ];
};
