import type { ConnectPod, ReadPodLog } from "../../model/pod-access.ts";
import type { KubeObject } from "@capstan/schema";
import type { ActionCall, ResourceDefinition, SubresourceDefinition } from "../../model/types.ts";

/** Behaviour of a built-in kind beyond the description by its types. */
export type KindBehaviour = Partial<
  Pick<
    ResourceDefinition,
    "applyDefaults" | "selectableFields" | "strategy" | "storage" | "virtual" | "deprecationWarning"
  >
> & { readonly subresources?: readonly SubresourceDefinition[] };

/** Options for built-in kinds that the server provides. */
export interface BuiltinOptions {
  /** Answers of kinds without a store, by `group/plural`, for example `authentication.k8s.io/tokenreviews`. */
  readonly virtual?: Readonly<Record<string, ResourceDefinition["virtual"]>>;
  /** Answer of POST serviceaccounts/NAME/token. */
  readonly issueToken?: (call: ActionCall) => Promise<KubeObject>;
  /** Makes pods/NAME/portforward work. */
  readonly connectPod?: ConnectPod;
  /** Makes pods/NAME/log work. */
  readonly readPodLog?: ReadPodLog;
  /** Addresses of Services. Default `10.0.0.0/24`. */
  readonly serviceCidr?: string;
}
