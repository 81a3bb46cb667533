import type { BootstrapContext, BootstrapOutcome, FileSource } from "@capstan/kit/bootstrap";
import type { KubeObject, Resource } from "@capstan/schema";
import type { RKE2ConfigSpec } from "../api.ts";
import type { Distribution } from "../render/distribution.ts";

type Settings = Readonly<Record<string, unknown>>;

/** The parts of the specs that a document is made of, with the places they come from for messages. */
export interface Sections {
  readonly agent: Settings;
  readonly server: Settings;
  /** Where the sections stand: `spec.agentConfig`, or another object's field. */
  readonly places: Readonly<Record<"agent" | "server", string>>;
  readonly files: readonly FileSource[];
  readonly preCommands: readonly string[];
  readonly postCommands: readonly string[];
  /** True if the data is packed. */
  readonly gzip: boolean;
  readonly registries?: NonNullable<RKE2ConfigSpec["privateRegistriesConfig"]> | undefined;
  /** ConfigMap with manifests, and the field that names it. */
  readonly manifests?: { readonly name: string; readonly namespace?: string; readonly field: string } | undefined;
  /** Where machines register, when it is not the address of a server itself. */
  readonly registrationAddress?: string | undefined;
}

/** The URL of a server to register with, or why there is none yet. */
export type Registration = { readonly url: string } | { readonly outcome: BootstrapOutcome };

/** Hooks by which one distribution's config kind supplies the input of its documents. */
export interface ConfigKind<O extends KubeObject> {
  readonly kind: Resource<O>;
  readonly distribution: Distribution;
  /** Kind of the control planes that are read, where there are any. */
  readonly controlPlaneKind?: Resource;
  /** The control plane object of the machine's cluster, where the distribution reads it. */
  readonly controlPlane: (context: BootstrapContext<O>) => Promise<KubeObject | undefined>;
  readonly sections: (object: O, controlPlane: KubeObject | undefined) => Sections;
  /** The version to install, and where it stands. */
  readonly version: (context: BootstrapContext<O>) => { readonly version: string | undefined; readonly field: string };
  readonly register: (context: BootstrapContext<O>, controlPlane: KubeObject | undefined) => Registration;
}
