import {
  kthreesConfigSpec,
  legacyStatus,
  olderKthreesConfigSpec,
  templateMetadata,
} from "@capstan/bootstrap-rke2-k3s/spec";
import { controlPlaneScale } from "@capstan/contract/v1";
import { kind, object, objectReference, optional, string, textField, time } from "@capstan/schema";
import { kthreesControlPlaneNames } from "./names.ts";
import { kthreesControlPlaneReferences } from "./references.ts";
import { remediationStrategy, removalDurations, replicas } from "./rke2-control-plane-spec.ts";
import { count, lastRemediation } from "./status-fields.ts";

const columns = [
  { name: "Initialized", path: ".status.initialized", type: "boolean" },
  { name: "API Server Available", path: ".status.ready", type: "boolean" },
  { name: "Version", path: ".spec.version" },
  { name: "Replicas", path: ".status.replicas", type: "integer" },
  { name: "Ready", path: ".status.readyReplicas", type: "integer" },
  { name: "Updated", path: ".status.updatedReplicas", type: "integer" },
  { name: "Unavailable", path: ".status.unavailableReplicas", type: "integer" },
] as const;

const statusFields = {
  ...legacyStatus,
  initialized: optional(legacyStatus.ready.optional),
  lastRemediation: lastRemediation("kthrees"),
  replicas: count("Servers that exist."),
  readyReplicas: count("Servers that are Ready."),
  updatedReplicas: count("Servers that are as the object wants them."),
  unavailableReplicas: count("Servers that are missing or not Ready."),
  selector: textField("Label selector of the Machines, as text."),
};

const version = string({ description: "Version of k3s, for example v1.35.4+k3s1." });
const reference = objectReference({ description: "Template of the infrastructure machines." });

export const KThreesControlPlaneV1Beta1 = kind({
  ...kthreesControlPlaneNames,
  version: "v1beta1",
  storage: false,
  columns,
  scale: controlPlaneScale,
  spec: optional(
    object({
      replicas,
      version,
      infrastructureTemplate: reference,
      kthreesConfigSpec: optional(olderKthreesConfigSpec()),
      upgradeAfter: optional(time({ description: "All servers are replaced after this time." })),
      nodeDrainTimeout: removalDurations.nodeDrainTimeout,
      machineTemplate: optional(
        object({ metadata: optional(templateMetadata()) }, { description: "What the Machines are made from." }),
      ),
      remediationStrategy: remediationStrategy(),
    }),
  ),
  status: object(statusFields),
});

/** One KThreesControlPlane in API version v1beta1. */
export type KThreesControlPlaneV1Beta1 = typeof KThreesControlPlaneV1Beta1.Type;

/** Fields of a KThreesControlPlane that its template has too. */
export const kthreesControlPlaneFields = () => ({
  kthreesConfigSpec: optional(kthreesConfigSpec()),
  rolloutAfter: optional(time({ description: "All servers are replaced after this time." })),
  machineTemplate: optional(
    object(
      { metadata: optional(templateMetadata()), infrastructureRef: reference, ...removalDurations },
      { description: "What the Machines are made from." },
    ),
  ),
  remediationStrategy: remediationStrategy(),
});

export const KThreesControlPlane = kind({
  ...kthreesControlPlaneNames,
  version: "v1beta2",
  references: kthreesControlPlaneReferences,
  versions: [KThreesControlPlaneV1Beta1],
  columns,
  scale: controlPlaneScale,
  spec: optional(object({ ...kthreesControlPlaneFields(), replicas, version })),
  status: object({ ...statusFields, version: textField("Lowest version of a server.") }),
});

/** One KThreesControlPlane. */
export type KThreesControlPlane = typeof KThreesControlPlane.Type;
