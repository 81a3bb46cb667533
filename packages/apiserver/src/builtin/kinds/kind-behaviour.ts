import type { ConnectPod, ReadPodLog } from "../../model/pod-access.ts";
import type { KubeObject } from "@capstan/schema";
import type { ActionCall, ResourceDefinition, SubresourceDefinition } from "../../model/types.ts";

/** How a built-in kind differs from one that is only described by its types. */
export type KindBehaviour = Partial<
  Pick<
    ResourceDefinition,
    "applyDefaults" | "selectableFields" | "strategy" | "storage" | "virtual" | "deprecationWarning"
  >
> & { readonly subresources?: readonly SubresourceDefinition[] };

/** What the server brings to built-in kinds. */
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
