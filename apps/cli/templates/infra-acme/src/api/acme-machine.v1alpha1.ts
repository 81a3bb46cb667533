import { infraMachineStatus } from "@capstan/contract/v1";
import { kind, object, optional, text } from "@capstan/schema";
import { serverFields } from "./acme-machine-spec.ts";
import { shared } from "./names.ts";

/** A server at Acme that backs one Machine. */
export const AcmeMachine = kind({
  ...shared,
  kind: "AcmeMachine",
  plural: "acmemachines",
  description: "A server at Acme that backs one Machine.",
  columns: [
    { name: "State", path: ".status.serverState" },
    { name: "ProviderID", path: ".spec.providerID" },
  ],
  spec: optional(
    object(
      { ...serverFields, providerID: optional(text(512, "acme://<id>; set by the controller.")) },
      { description: "What the server is to be." },
    ),
  ),
  status: infraMachineStatus({ serverState: optional(text(32, "State that Acme reports.")) }),
});
export type AcmeMachine = typeof AcmeMachine.Type;
