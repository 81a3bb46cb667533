import type { KindWebhooksV1 } from "@capstan/contract/v1";
import { BmcMachine } from "../api/bmc-machine.ts";
import { connectionCauses } from "../bmc/connection-causes.ts";

const bmcMachine: KindWebhooksV1<BmcMachine> = {
  kind: BmcMachine,
  validate: ({ spec }) => (spec === undefined ? [] : connectionCauses(spec.connection, "spec.connection")),
};

/** Rules of the kinds beyond their schemas. */
export const webhooks = [bmcMachine] as readonly KindWebhooksV1[];
